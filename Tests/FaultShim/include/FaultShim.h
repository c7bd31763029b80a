#ifndef FAULT_SHIM_H
#define FAULT_SHIM_H

// Nothing to call. The library is loaded into a program under test with LD_PRELOAD and told what to do by
// environment variables; docs/torture.md describes them, Tests/TestKit/Faults sets them. Linux only: elsewhere
// the library is empty.

#endif
