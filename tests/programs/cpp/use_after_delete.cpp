// One thread deletes an object that another one still uses.
// expect[sc,rc11]: violation=freed
// twin[sc,rc11] `delete job;` -> `t.join(); delete job; delete job; return 0;`: violation=double-free line=13
#include <thread>

struct Job {
  int number = 0;
  ~Job() {}
};
int main() {
  Job *job = new Job;
  std::thread t([job] { job->number = 1; });
  delete job;
  t.join();
  return 0;
}
