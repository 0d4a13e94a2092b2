//! Explores every execution of a bytecode program under a plan, each exactly once.
//!
//! Modules: [`program`] (what is run), [`memory`] (what it starts from), [`vm`] (runs threads), [`graph`]
//! (events and relations), [`consistency`] (runs a plan), [`explore`] (TruSt), [`detect`] (what is wrong with
//! a program). Nothing here knows a memory model, a source language, or Python.

pub mod consistency;
pub mod detect;
pub mod explore;
pub mod graph;
pub mod ids;
pub mod memory;
mod numbered;
pub mod program;
pub mod vm;
