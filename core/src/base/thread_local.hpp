#pragma once

/// Before a static variable of which every thread has its own. Where there are no threads it says
/// nothing: WebAssembly without atomics has no storage for threads, and `wasm-ld` refuses an object
/// that asks for it, unless an atomic elsewhere in the object happened to let the compiler take the
/// request back.
#if defined(__wasm__) && !defined(__wasm_atomics__)
#define ATTN_THREAD_LOCAL
#else
#define ATTN_THREAD_LOCAL thread_local
#endif
