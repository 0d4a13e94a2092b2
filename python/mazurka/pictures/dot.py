"""A picture as a DOT file for Graphviz, which lays it out itself."""

from __future__ import annotations

from mazurka.pictures.colours import FAIL, FAINT, MARK, TONES
from mazurka.pictures.picture import Edge, Node, Picture

_DOWNWARDS = ("po", "rmw")  # only these say what is above what


def dot(picture: Picture, name: str = "execution") -> str:
    """The picture as a DOT file, with the edges that are shown."""
    lines = [
        f"digraph {name} {{",
        f"    label={_quoted(chr(10).join(picture.heads))}; labelloc=t; rankdir=TB; splines=true;"
        " nodesep=0.9; ranksep=0.7;",
        '    node [shape=box, style="rounded,filled", fillcolor=white, fontname=monospace];',
        "    edge [fontname=monospace];",
    ]
    threads = [node for node in picture.nodes if node.kind != "initial"]
    for number, title in enumerate(picture.columns):
        lines += [
            f"    subgraph cluster_{number + 1} {{",
            f'        label={_quoted(title)}; color="{FAINT.light}";',
        ]
        lines += [f"        {_node(node)}" for node in threads if int(node.column) == number]
        lines.append("    }")
    lines += [f"    {_node(node)}" for node in picture.nodes if node.kind == "initial"]
    lines += [f"    {_arrow(edge)}" for edge in picture.edges if edge.shown]
    return "\n".join([*lines, "}", ""])


def _node(node: Node) -> str:
    mark = f', fillcolor="{MARK.light}"' if node.marked else ""
    mark = f', fillcolor="{FAIL.light}", color="{TONES["bad"].light}"' if node.kind == "fail" else mark
    label = "\n".join(filter(None, (node.label, node.note)))
    return f"e{node.number} [label={_quoted(label)}{mark}];"


def _arrow(edge: Edge) -> str:
    along = edge.name.startswith(_DOWNWARDS)
    pen = "penwidth=2.6" if edge.marked else "style=dashed" if edge.dashed else "style=solid"
    free = "" if along else ", constraint=false"
    both = "" if edge.arrow else ", dir=none"
    colour = TONES[edge.tone].light
    named = f"label={_quoted(edge.name)}, " if edge.named else ""
    return (
        f'e{edge.first} -> e{edge.second} [{named}color="{colour}", fontcolor="{colour}", {pen}{free}{both}];'
    )


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
