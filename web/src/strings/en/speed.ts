/** The words of the page "How fast is this?". */

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

export const words = {
  controls: 'Settings',
  here: {
    title: 'What runs here',
    binary: 'Binary',
    builds: {
      scalar: 'scalar: one number at a time',
      simd: 'SIMD128: four numbers at a time',
      relaxed: 'relaxed SIMD: four at a time, multiply and add fused',
    } as Readonly<Record<string, string>>,
    instead: 'Instead:',
    why: 'Chosen because',
    reasons: {
      asked: () => 'the address asks for it',
      unknown: (name: string) => `the address asks for “${name}”, which is none of ours`,
      unable: (name: string) => `the address asks for ${name}, which this browser cannot run`,
      absent: (name: string) => `this site was built without ${name}`,
    },
    passed: (names: readonly string[]) => `this browser compiles our probes of ${names.join(', ')}`,
    failed: (names: readonly string[]) => `not that of ${names.join(', ')}`,
    probes: {
      exceptions: 'exceptions',
      simd: 'SIMD128',
      relaxed: 'relaxed SIMD',
    } as Readonly<Record<string, string>>,
    vector: 'A vector holds',
    lanes: (lanes: number, fused: boolean) =>
      `${plural(lanes, 'float')}; a·b + c is ${fused ? 'one operation' : 'two operations'}`,
    cores: 'Logical cores',
    coresNote: (cores: number) => `${cores}; one is used`,
    unknown: 'not told',
    browser: 'Browser',
    size: 'Downloaded',
    kilobytes: (kb: string, name: string) => `${name} ${kb} kB`,
    unpacked: (kb: string) => ` (${kb} kB unpacked)`,
    cached: ' (from the browser’s cache)',
    asking: 'Asking the core …',
  },
  figure: 'The measurement',
  guess: {
    title: 'Predict first',
    ask: 'From which length on is linear attention faster than softmax attention here? Both have width 64, and φ is ELU + 1. Drag the line, or the slider.',
    label: 'tokens, your guess',
    line: (n: number) => `your guess: ${n}`,
    open: 'your guess?',
  },
  knobs: {
    largest: 'Longest sequence',
    rounds: 'Rounds',
    roundsNote: 'Each round times everything once.',
    show: 'The figure shows',
    shows: { time: 'time', rate: 'share of the peak' },
    measure: 'Measure',
    again: 'Measure again',
    forget: 'Forget the measurement',
    undo: 'Undo',
  },
  progress: {
    label: 'Measuring',
    stop: 'Stop',
    started: (rounds: number, largest: string) =>
      `Measuring in ${plural(rounds, 'round')}, up to ${largest} tokens.`,
    step: (rounds: number, of: number) => `round ${Math.min(rounds + 1, of)} of ${of}`,
    left: (seconds: number) => `, about ${seconds} s left`,
    coarse: (step: string, sample: string) =>
      `This browser’s clock counts in steps of ${step} ms. A sample must last ${sample} ms to be worth anything, so it takes long.`,
    done: (rounds: number) => `Measured in ${plural(rounds, 'round')}.`,
    stopped: (rounds: number) =>
      `Stopped. What was measured in ${plural(rounds, 'complete round')} is kept.`,
    stoppedAtOnce: 'Stopped before anything was measured.',
    stoppedEarly: 'Stopped before the first round was complete. Nothing of it is kept.',
    stoppedBefore: 'Stopped. The finished measurement from before is back.',
    kept: (date: string, where: string) =>
      `This is what you measured on ${date}${where ? `, ${where}` : ''}.`,
    forgotten: 'The measurement is gone.',
    back: 'The measurement is back.',
    failed: (why: string) => `The measurement ended: ${why}`,
  },
  mechanisms: {
    fused: 'Softmax',
    fused_weights: 'Softmax, with weights',
    fused_causal: 'Softmax, causal',
    fused_linear: 'Linear, ELU + 1',
    fused_linear_causal: 'Linear, causal',
    taylor_compact: 'Linear, Taylor',
    performer: 'Linear, Performer',
  } as Readonly<Record<string, string>>,
  longNames: {
    fused: 'softmax attention',
    fused_weights: 'softmax attention that also returns the weights',
    fused_causal: 'causal softmax attention',
    fused_linear: 'linear attention (ELU + 1)',
    fused_linear_causal: 'causal linear attention (ELU + 1)',
    taylor_compact: 'linear attention (Taylor, 16 wide)',
    performer: 'linear attention (Performer, 128 features)',
  } as Readonly<Record<string, string>>,
  chart: {
    title: { time: 'Time of one call', rate: 'Share of the multiply-add peak' },
    x: 'n, tokens',
    time: 'milliseconds',
    rate: 'share',
    empty: 'Nothing is measured yet. Press Measure.',
    role: 'chart',
    keys: 'Left and right arrows move along a line, up and down between lines, Home and End go to its ends.',
    legend: 'Lines',
    hint: 'Hover a point, or move with the arrow keys.',
    hintTouch: 'Tap a point.',
    point: (name: string, n: number, ms: string, low: string, high: string) =>
      `${name}, n = ${n}: ${ms} ms, half of the samples from ${low} to ${high}`,
    rates: (gigaflops: string, share: string) => `${gigaflops} GF/s, ${share} % of the peak`,
    limit: (gigaflops: string) => `the multiply-add peak, ${gigaflops} GF/s`,
    measured: (n: string) => `measured: ${n}`,
    predicted: (n: string) => `cost model: ${n}`,
    summary: (lines: number, from: number, to: number) =>
      `${plural(lines, 'line')}, n from ${from} to ${to}.`,
    actions: {
      png: ['PNG', 'Save as PNG'],
      svg: ['SVG', 'Save as SVG'],
      csv: ['CSV', 'Save every sample as CSV'],
      json: ['JSON', 'Save the whole measurement as JSON'],
      link: ['Link', 'Copy a link to these settings'],
    },
    tools: 'Files and link',
    caption: (
      place: string,
      samples: string,
      date: string,
      peak: string,
      clock: string,
      finished: boolean,
    ) =>
      `${samples}, float32, one head, d_k = d_v = 64 (Taylor: d_k = 16), N(0, 1) inputs with seed 1. ${place}. ${peak}${clock}${date}.${finished ? '' : ' Not finished.'}`,
    /** Of times, or of shares of the peak. */
    samples: (complete: number, rounds: number, share: boolean) => {
      if (complete === 0) return `Samples of the first of ${rounds} interleaved rounds`;
      const of =
        complete === rounds
          ? plural(rounds, 'interleaved round')
          : `${complete} of ${rounds} interleaved rounds`;
      return share
        ? `Fastest of ${of}, against the fastest of the peak`
        : `Medians of ${of} with quartiles`;
    },
    peak: (gigaflops: string) => `Peak ${gigaflops} GF/s. `,
    clock: (ms: string) => `The worker’s clock counts in steps of ${ms} ms. `,
  },
  answer: {
    title: 'Where linear attention overtakes',
    lead: (said: number | undefined, where: string, found: string) => {
      const all = `${said === undefined ? '' : `You said ${said}; `}${where} ${found}.`;
      return all.charAt(0).toUpperCase() + all.slice(1);
    },
    here: 'here',
    elsewhere: (binary: string, browser: string) => `with ${binary} in ${browser}`,
    clauses: {
      between: (n: string, low: number, high: number) =>
        `linear attention is faster from ${n} tokens on (between ${low} and ${high})`,
      below: (n: number) =>
        `linear attention is faster at every length measured, from ${n} tokens on`,
      never: (n: number) =>
        `softmax attention is still faster at ${n} tokens, the longest length measured`,
    },
    close: 'A good guess.',
    early: (times: string) => `It comes ${times} times earlier than you thought.`,
    late: (times: string) => `It comes ${times} times later than you thought.`,
    why: 'Softmax attention does 2·n²·64 multiply-adds and n² exponentials. Linear attention does about 2·n·64·65 multiply-adds. By the count they are equal at 65 tokens; what each multiply-add takes moves the point from there.',
    lab: 'The lab *Complexity* times the same two calls and may find another point. It measures at doubled lengths only and puts the crossing on a straight line between two of them; here two lengths stand in each doubling. And it is another run, in other rounds: what else the machine does moves the point from run to run.',
    columns: {
      pair: 'Which overtakes which',
      measured: 'Measured',
      predicted: 'Cost model',
      ratio: 'Measured / model',
    },
    pair: (fast: string, slow: string) => `${fast} over ${slow}`,
    between: (n: string, low: number, high: number) => `${n} (between ${low} and ${high})`,
    below: (n: number) => `at or below ${n}, the shortest`,
    never: (n: number) => `not up to ${n}`,
    noPrediction: 'none in reach',
    noRatio: '–',
    how: 'The cost model counts the operations of both at every length (core: complexity.hpp) and takes for each the best time of a multiply-add that was measured here at the longest length. So it is told nothing about short sequences. What was measured is the median ratio of the two in the same round.',
  },
  table: {
    title: 'What was measured, and what was counted',
    intro:
      'Counted operations are formulas of the sizes, which the tests hold against runs that count. GF/s are 10⁹ floating-point operations a second of the fastest sample: two for each multiply-add; exponentials are not among them.',
    choose: 'Length',
    columns: {
      name: 'Mechanism',
      median: 'Median, ms',
      spread: 'Quartiles, ms',
      macs: 'Multiply-adds',
      exps: 'Exponentials',
      bytes: 'MB moved',
      rate: 'GF/s',
      share: 'Of the peak',
      slope: 'Slope',
    },
    slopeNote:
      'Slope: exponent of n in the time, fitted to the longer lengths, with its 95 % interval. 1 is linear, 2 quadratic.',
  },
  stay: {
    title: 'Does it stay fast?',
    intro:
      'Sharp logits are where careless kernels meet denormal numbers, and odd sizes are where vectors do not fit. 1 means that nothing is lost.',
    columns: { what: 'What', ordinary: 'Ordinary, ms', other: 'Changed, ms', ratio: 'Ratio' },
    sharp: 'Queries × 30 (n = 512)',
    odd: 'n = 513, d = 63, d_v = 17 instead of 512, 64, 16; a multiply-add',
  },
  overhead: {
    title: 'What a call costs beside its work',
    intro:
      'The core runs in a worker. Each call crosses to it and back; matrices are copied in, and results are copied out once.',
    trip: 'An empty call, there and back',
    copyIn: 'Copying in, each MB',
    copyOut: 'Copying out, each MB',
    ms: (ms: string) => `${ms} ms`,
  },
  roof: {
    title: 'The peak, and why nothing beats it',
    text: (lanes: number, fused: boolean) =>
      `A vector instruction works on ${plural(lanes, 'number')} at once. One multiply-add on such a vector is 2 × ${lanes} floating-point operations, and a core can begin only so many of them in a cycle${
        fused ? '' : '; without a fused instruction each is a product and then a sum'
      }. The peak is a loop of nothing but multiply-adds on twelve vectors in registers: no memory, no exponentials, no waiting for one another. Attention is made of multiply-adds, so no arrangement of them is faster on one core. Memory sets a second roof (the roofline model of Williams, Waterman and Patterson, 2009), but attention uses each number that it loads many times over, so that the first one counts.`,
    figure: (gigaflops: string, lanes: number, rate: string) =>
      `Measured here: ${gigaflops} GF/s. Divided by 2 × ${lanes} that is ${rate} · 10⁹ vector multiply-adds a second.`,
  },
  how: {
    title: 'How it is measured, and why so',
    points: (sample: number, steps: number, warm: number) => [
      '*In the worker.* The clock is read around the calls of the core, whose inputs and results stay in its memory. What a message costs is measured apart.',
      '*Interleaved.* Each round times everything once. When the machine slows down for a moment, it slows all of them, not one.',
      '*Medians.* Something else always runs on a machine, and it can only add time. A mean would follow the worst moment; the median and the quartiles do not.',
      '*Best against best.* The share of the peak compares the fastest sample with the fastest sample of the peak. Both are then near what the machine does when it is left alone.',
      `*Long enough.* A sample is as many calls as take ${sample} ms, and ${steps} steps of the clock. Browsers make the clock coarse on purpose.`,
      `*Warmed up.* A browser compiles WebAssembly twice, fast first and well later. So everything is called for ${warm} ms before its first sample, and these calls do not count.`,
    ],
  },
  recorded: {
    title: 'Beside other libraries',
    intro:
      'Recorded, not run here: the other libraries are megabytes. Times of the others divided by ours, in one page, interleaved; to the right of the line ours is faster.',
    missing: 'There is no recorded run in this build of the site.',
    length: 'Length',
    build: 'Our build',
    builds: { simd: 'SIMD128', relaxed: 'relaxed SIMD' } as Readonly<Record<string, string>>,
    nothing: 'Nothing was recorded for this length and build.',
    x: 'times as long as ours (paired medians, quartiles)',
    columns: {
      case: 'Case',
      n: 'n',
      build: 'Build',
      ours: 'Ours, median ms',
      share: 'Of the peak, best',
      error: 'Error, max and rms',
    },
    sort: (name: string) => `Sort by ${name}`,
    sharesNote:
      'Times are medians. The share of the peak is that of the fastest sample, against the fastest of the peak.',
    errorNote:
      'Errors are against float64, the largest entry and the root mean square, at the length where each is largest. The peers ran their best form at each length; it stands below the ratio.',
    crossovers: 'Where it overtook in that run',
    notIn: (low: number, high: number) => `not in ${low} to ${high}`,
    machine: (cpu: string, cores: number, platform: string, before: number, after: number) =>
      `${cpu}, ${plural(cores, 'core')}, ${platform} (load ${before} before, ${after} after)`,
    caption: (
      machine: string,
      browser: string,
      date: string,
      command: string,
      commit: string,
      versions: readonly string[],
      peaks: readonly string[],
      method: string,
    ) =>
      `Recorded on ${date} on ${machine}, in ${browser}, with ${command}, our commit ${commit}. ${versions.length > 0 ? `${versions.join(', ')}. ` : ''}${peaks.length > 0 ? `Peaks: ${peaks.join(', ')}. ` : ''}${method}`,
    chartTitle: (n: number, build: string) => `Others beside ours (${build}), n = ${n}`,
    hollow: 'hollow: the same attention, in chunks',
    actions: {
      png: ['PNG', 'Save as PNG'],
      svg: ['SVG', 'Save as SVG'],
      csv: ['CSV', 'Save every ratio as CSV'],
      json: ['JSON', 'Save the whole run as JSON'],
      link: ['Link', 'Copy a link to these settings'],
    },
    linkCopied: 'Link copied.',
    keep: 'The same for every length is in the table.',
  },
  files: {
    saved: (name: string) => `Saved ${name}.`,
    notSaved: 'The browser could not make the file. Try another kind.',
    linkCopied: 'Link copied. It restores these settings, not the measurement.',
    linkShow: 'The browser keeps the clipboard from this page. Copy the link here:',
  },
  loadFailed: 'The core could not start.',
  loadHelp:
    'This page measures a WebAssembly program in your browser. Reload the page; if that does not help, use a current Firefox, Chrome, Edge or Safari, and check that no extension, policy or blocked download keeps WebAssembly or web workers from this page.',
  reload: 'Reload',
  dismiss: 'Dismiss',
} as const;
