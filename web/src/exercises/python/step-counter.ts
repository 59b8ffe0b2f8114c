/**
 * How much the interpreter does. MicroPython's virtual machine calls everything that may raise (operators,
 * calls, names, the next item of a loop) through functions that are imported from JavaScript. Counting
 * there sees loops, comprehensions, generators, map, sorting, recursion and what exec runs alike, and no
 * Python code can reach the counter.
 */

/** A call or a pass of a loop in a student's code is worth a few; so many are one step. */
const callsOfStep = 8;

type Call = (...args: number[]) => number | undefined;

export class StepCounter {
  #calls = 0;

  /** The imports with counting in them. */
  watch(imports: WebAssembly.Imports): WebAssembly.Imports {
    return Object.fromEntries(
      Object.entries(imports).map(([space, values]) => [
        space,
        Object.fromEntries(
          Object.entries(values).map(([name, value]) => [
            name,
            name.startsWith('invoke_') ? this.#counted(value as Call) : value,
          ]),
        ),
      ]),
    );
  }

  /** Steps since the last `take`. */
  take(): number {
    const steps = Math.floor(this.#calls / callsOfStep);
    this.#calls = 0;
    return steps;
  }

  /** With as many parameters as the function has: a list of them would be made anew at each call. */
  #counted(call: Call): Call {
    const count = (): void => {
      ++this.#calls;
    };
    switch (call.length) {
      case 1:
        return (a) => {
          count();
          return call(a as number);
        };
      case 2:
        return (a, b) => {
          count();
          return call(a as number, b as number);
        };
      case 3:
        return (a, b, c) => {
          count();
          return call(a as number, b as number, c as number);
        };
      case 4:
        return (a, b, c, d) => {
          count();
          return call(a as number, b as number, c as number, d as number);
        };
      default:
        return (...args) => {
          count();
          return call(...args);
        };
    }
  }
}
