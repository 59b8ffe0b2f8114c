# The module time, with the clocks that MicroPython's own time lacks.
from time import *
from time import ticks_us as _us, time_ns as _ns

_start = _us()


def perf_counter():
    return (_us() - _start) / 1e6


def perf_counter_ns():
    return (_us() - _start) * 1000


process_time = monotonic = thread_time = perf_counter
process_time_ns = monotonic_ns = perf_counter_ns
