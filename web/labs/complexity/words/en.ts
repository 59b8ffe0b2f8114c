import type { LabWords } from '../../../src/lab/types.ts';

export const words: LabWords = {
  steps: {
    count: 'Count before you measure',
    handout: 'What the handout counts',
    memory: 'What lies in between',
    crossover: 'Where the two orders meet',
    variants: 'Causal, normalised, Taylor',
    measure: 'Now measure it',
    slope: 'Read the slope',
    long: 'A long text, in one go',
  },
  prose: {
    count: [
      'An $a\\times b$ matrix times a $b\\times c$ matrix has $a\\cdot c$ entries, and each is a sum of $b$ products. That makes $a\\cdot b\\cdot c$ multiply-adds: the volume of a box with these three edges. The figure above draws every product as its box; three faces of the box are the three matrices.',
      'Without the softmax, attention is $QK^\\top V$. You may multiply from the left, $(QK^\\top)V$, or from the right, $Q(K^\\top V)$. The result is the same matrix, because products are associative. The boxes are not the same: $QK^\\top$ is as high and as wide as the text is long, $K^\\top V$ is only as large as the columns.',
      'Take hold of the edge $n$ and pull. Watch which faces grow with it in both directions.',
    ],
    handout: [
      'A course handout on this topic gives an example: 4096 tokens and 64 columns. It has one number for each order, and a speedup. Compare each with the boxes: how many products did the handout count?',
    ],
    handoutAfter: [
      'The quoted numbers stand in quotation marks; all others are counted by the core. Each order multiplies twice, and the handout has one product of each; where the factor is not quite two, the quotation is rounded. Move $n$ or $d$: the quotation disappears, and the core counts anew.',
      'The last column adds the normaliser. Softmax divides every row by its sum, and so does linear attention: that costs $n^2$ additions on one side and $2nD$ multiply-adds on the other, for the sum of the keys and its product with every query. $D$ is the number of features that the linear order multiplies with. Here the columns of $Q$ and $K$ are the features, so $D=d$.',
    ],
    memory: [
      'Time is not the only price. Between its two products each order has to keep a matrix: $QK^\\top$ with $n^2$ numbers, or $K^\\top V$ with $D\\cdot d_v$ of them, whatever the length of the text. In float32 a number takes four bytes.',
      'This page runs in WebAssembly, whose memory has an upper end that the core reports. It is one wall among many: on a graphics card the wall is the card’s memory, and the matrix is there once for every head and every text of the batch.',
    ],
    crossover: [
      'Short texts are cheaper in the standard order. To find where the linear order takes over, set the two counts equal. With $D$ features of every query and key,',
      '$$n^2(d+d_v) = 2\\,n\\,D\\,d_v \\quad\\Longrightarrow\\quad n^* = \\frac{2\\,D\\,d_v}{d+d_v}.$$',
      'If $d=d_v=D$ that is simply $D$: the linear order pays as soon as the text is longer than the features are wide. A feature map that makes many features moves the crossing to the right by the same factor. Move $D$ and watch the upright line.',
    ],
    variants: [
      'A model does not use the bare products. Three things change the counts, and each takes something from the gain you saw.',
      '*Normalised*: both divide by a sum.',
      '*Causal*: a token sees only itself and those before it. That halves the work of softmax; the linear order updates its sum after every token instead, and saves nothing.',
      '*Taylor*: a feature map whose kernel is $1+s+s^2/2$, the beginning of the series of $e^s$. It makes $1+d+d^2$ features of $d$ columns. The compact one keeps the product of two different columns once instead of twice, which leaves about half. Because there are so many features, queries and keys are made narrow for it.',
    ],
    measure: [
      'Counts are exact, but nobody waits for a count. So measure: the core runs both kinds of attention at every length, in WebAssembly on one thread of your machine, on random inputs that lie in its memory already.',
      'Times are noisy, so they are taken in rounds: each round times everything once and begins with another contender. Every point is the median of its rounds, the upright stroke its quartiles. What slows the machine for a while slows all of them in that round. The dotted lines are fitted to the longer texts. The band around a line says how sure its fit is; where it would cover the chart it is left out, and the interval stands below.',
      'Softmax comes twice. One keeps all its $n^2$ weights, as most textbooks do. The other works through the keys in tiles and never has them all: as much arithmetic, less memory.',
      'Measuring uses your battery for half a minute or so. You can also have a recorded run drawn into the figure, with the machine and the command it was made with. For more contenders and the peak of your machine there is the page [How fast is this?](../../pages/speed/index.html)',
    ],
    slope: [
      'On two logarithmic axes a cost $c\\cdot n^p$ is a straight line, and its slope is the exponent $p$. So you can read a complexity class off a picture, or rather, you can see whether the picture agrees with it.',
      'Look at the slopes below the figure of your run. The interval behind each is where the slope lies with 95 % confidence, if the points scatter about a straight line. At short lengths they do not: a call costs something before the first token, and that part has slope 0. This is why the fit leaves the short texts out.',
      'The crossing that you measured is hardly ever the one that was counted. Multiply-adds are not all of the work: softmax also takes an exponential of every one of its $n^2$ scores, a feature map has to be applied, and memory has to be read and written. Compare *multiply-adds* and *time* in the figure, with the same contenders.',
    ],
    long: [
      'To end with, a text as long as a book chapter, in one call. Run it: the core works in steps and says how far it is, and Stop ends it.',
      'Causal linear attention reads the text once, from front to back. What it carries along is one matrix $S$ of $D\\times d_v$ numbers and one vector $z$ of $D$: the state. Its size does not depend on how much was read. Set it against the weights that softmax would keep for the same text.',
      'That is the subject of the next lab: how a feature map makes this order possible when there is a softmax in the way, and what is lost.',
    ],
  },
  predictions: {
    doubling: {
      question:
        'The text gets twice as long. What happens to the multiply-adds of (QKᵀ)V and of Q(KᵀV)?',
      options: {
        bothTwo: 'Both double.',
        fourAndTwo: 'The first ones quadruple, the others double.',
        bothFour: 'Both quadruple.',
        twoAndFour: 'The first ones double, the others quadruple.',
      },
      why: [
        'Both boxes of $(QK^\\top)V$ have two edges $n$, so doubling $n$ makes them four times as large. The boxes of $Q(K^\\top V)$ have one edge $n$ each. On logarithmic axes these are straight lines of slope 2 and slope 1; the counts fall on them exactly.',
      ],
    },
    wall: {
      question:
        'One matrix of scores, n × n numbers in float32, one head. Up to which n does it fit into the memory that this page can have?',
      why: [
        'The bytes grow with $n^2$: where the line crosses the level line, memory ends, and no waiting helps. A text twice as long needs four times as much. The other order keeps the same small matrix at every length; its line is level.',
        'The wall was computed from the limit that the core reports and the bytes of the scores alone. Inputs and output need room too, so in practice it is met a little sooner.',
      ],
    },
    dearest: {
      question: 'Which of these takes most of the gain of the linear order, at 4096 tokens?',
      options: {
        normalized: 'Dividing by the sums',
        causal: 'The causal mask',
        taylor: 'Taylor features of 16 columns',
      },
      why: [
        'The normaliser adds one column to many: hardly anything. The mask halves what softmax has to do and nothing of what the linear order does, so half of the gain goes. Features cost in proportion: the gain is $\\frac{n(d+d_v)}{2Dd_v}$, and $D$ stands below the bar.',
      ],
    },
    here: {
      question:
        'Queries, keys and values have 64 columns, φ is ELU + 1. From which length on is linear attention faster than softmax attention, here, in your browser?',
      why: [
        'This was a short measurement: few rounds, up to a moderate length, both without causal mask, softmax without keeping its weights. The counted $n^*$ is a good guess to begin with; what has to be done beside multiply-adds moves the crossing, and so does whatever else your machine is doing. The experiment below takes more rounds and shows how much they scatter.',
      ],
    },
  },
  checks: {
    half: {
      question: 'The handout leaves out half of the work. Why is its speedup right all the same?',
      options: {
        luck: {
          text: 'By chance, for these sizes only.',
          why: 'Move n and d in the figure: the ratio of the first products stays the ratio of both, as long as Q, K and V are equally wide.',
        },
        cancels: {
          text: 'It leaves out half on both sides, and the halves are equal where d = d_v.',
          why: 'The two products of an order take equally many multiply-adds if d = d_v, so a ratio of halves is the ratio of the wholes. If d ≠ d_v it is not; and the normaliser and a mask change the ratio itself.',
        },
        rounding: {
          text: 'The difference is lost in rounding.',
          why: 'A factor of two is no rounding error. Compare the first product and both in the figure.',
        },
      },
    },
    between: {
      question:
        'Softmax attention that keeps its weights stops at some length. What is in the way?',
      options: {
        inputs: {
          text: 'Q, K and V have become too large.',
          why: 'They grow with n only. Set n = 16384 in the figure at the top: the faces Q and V are slivers.',
        },
        scores: {
          text: 'The matrix between the two products has become too large.',
          why: 'Its bytes grow with the square of n and meet the end of memory; the figure has the wall.',
        },
        time: {
          text: 'It would take too long.',
          why: 'It takes long, but that is not what stops it: with the weights never kept at once, the same arithmetic goes on beyond the wall. The measurement below shows it, with “Up to the wall”.',
        },
      },
    },
    wider: {
      question:
        'You exchange a feature map for one with four times as many features. The crossing comes …',
      options: {
        earlier: {
          text: 'at shorter texts.',
          why: 'More features are more work for the linear order and none for the other.',
        },
        same: {
          text: 'at the same length.',
          why: 'Move D in the figure: the linear line goes up, the crossing moves to the right.',
        },
        later: {
          text: 'at texts four times as long.',
          why: 'In n* = 2·D·d_v/(d + d_v) there is one D, above the bar: four times as many features, four times as long a text.',
        },
      },
    },
    flat: {
      question:
        'Somebody fits the time of softmax attention over lengths from 16 to 128 and finds a slope well below 2. What happened?',
      options: {
        better: {
          text: 'Softmax attention is better than quadratic.',
          why: 'Count it: the multiply-adds have slope 2 at every length.',
        },
        fixed: {
          text: 'At these lengths fixed costs are a large part of the time, and they have slope 0.',
          why: 'A call costs something before the first token, and short loops cannot use the machine well. An exponent is a statement about long texts; fit it there.',
        },
        wrong: {
          text: 'The clock was wrong.',
          why: 'A clock that is off by a factor moves the line up or down. It does not turn it.',
        },
      },
    },
    early: {
      question: 'The measured crossing is not where the counts put it. What is the best reason?',
      options: {
        count: {
          text: 'The count is wrong.',
          why: 'It is exact, and the exercise let you check it. It just does not count everything that takes time.',
        },
        rest: {
          text: 'Exponentials, feature maps and memory take time and are no multiply-adds.',
          why: 'Softmax takes one exponential for every pair of tokens, a feature map one for every entry of Q and K. How much each weighs depends on the machine: a count cannot know that.',
        },
        luck: {
          text: 'Noise: measured often enough they would agree.',
          why: 'Run it again and compare: noise moves the crossing from run to run, to either side, and more rounds make that smaller. A difference that is still there is not noise.',
        },
      },
    },
    flash: {
      question:
        'An implementation of softmax attention works in tiles and never keeps the n × n weights. Which of its limits is gone?',
      options: {
        both: {
          text: 'Both, memory and time.',
          why: 'In the measurement its line is about as steep as that of the other softmax: it does the same arithmetic.',
        },
        memory: {
          text: 'Memory.',
          why: 'It keeps a tile and a few numbers a row, so memory grows with n. The multiply-adds are the same n²(d + d_v), and so is the slope.',
        },
        time: {
          text: 'Time.',
          why: 'It may be faster by a factor, because it moves less memory. For long texts the slope stays 2.',
        },
      },
    },
  },
  tries: {
    count: {
      short: {
        title: 'As long as wide',
        text: 'Eight tokens, eight columns: all four boxes are equal.',
      },
      wide: {
        title: 'A short text, wide columns',
        text: 'Now the linear order has the large boxes.',
      },
      long: {
        title: 'A long text',
        text: 'Two huge slabs beside two sticks.',
      },
    },
    crossover: {
      elu: { title: 'ELU + 1', text: 'As many features as columns.' },
      taylor: { title: 'Taylor', text: 'All products of 16 columns.' },
      compact: { title: 'Taylor, compact', text: 'Each mixed product once.' },
      narrow: { title: 'Narrow values', text: 'd_v has a say too.' },
    },
    measure: {
      quick: { title: 'Quick', text: 'Up to 1024 tokens in three rounds.' },
      causal: { title: 'Causal', text: 'Both with a causal mask.' },
      normaliser: { title: 'With and without normaliser', text: 'What does the division cost?' },
      taylor: {
        title: 'Taylor features',
        text: 'Queries and keys of 16 columns; all products and compact.',
      },
      wall: {
        title: 'Up to the wall',
        text: 'Until softmax with kept weights finds no more memory. Takes a minute or more.',
      },
      recorded: { title: 'A recorded run', text: 'Drawn into the figure, without measuring.' },
    },
  },
  references: {
    attention: 'The table of complexities that everyone quotes: n²·d for self-attention.',
    linear: 'The right-hand order, with a feature map in place of the softmax.',
    flash: 'Softmax attention in tiles: exact, quadratic in time, linear in memory.',
    based: 'Taylor features in practice: 16 columns, and why D is the price.',
  },
  summary: [
    '$(QK^\\top)V$ and $Q(K^\\top V)$ are the same matrix. The first order takes $n^2(d+d_v)$ multiply-adds and keeps $n^2$ numbers in between; the second takes $2nDd_v$ and keeps $D\\,d_v$.',
    'They meet at $n^*=2Dd_v/(d+d_v)$. A mask halves the gain, many features divide it, the normaliser hardly matters.',
    'A slope on logarithmic axes shows the exponent, at lengths where fixed costs no longer count. Times cross elsewhere than counts do, because not all work is multiply-adds.',
    'Memory is a wall, time a slope. Working in tiles takes away the wall and leaves the slope.',
  ],
};

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** Words of the figures below the opening. */
export const figures = {
  growth: {
    headings: { adds: 'Multiply-adds over length', bytes: 'Bytes in between over length' },
    show: 'The figure shows',
    shows: { adds: 'multiply-adds', bytes: 'bytes' },
    count: 'Counted',
    counts: {
      plain: 'the two products',
      normalized: 'with the normaliser',
      causal: 'causal',
      causalNormalized: 'causal, with the normaliser',
    },
    countNotes: {
      plain: 'The two products of each order.',
      normalized: 'The two products and the normaliser.',
      causal: 'Causal: cells j ≤ i, and the linear order token by token.',
      causalNormalized: 'Causal, with the normaliser.',
    } as Readonly<Record<string, string>>,
    bytesNote: 'The one matrix between the products, float32, one head.',
    d: 'columns of Q and K',
    dV: 'columns of V',
    D: 'features of the linear order',
    lines: {
      adds: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
      bytes: { standard: 'QKᵀ', linear: 'KᵀV' },
    },
    x: 'n, tokens',
    y: { adds: 'multiply-adds', bytes: 'bytes' },
    crossover: (n: string) => `n* = ${n}`,
    wall: (n: number) => `the wall: ${n}`,
    limit: (bytes: string) => `end of memory: ${bytes}`,
    doubled: (from: string, to: string, standard: string, linear: string) =>
      `From ${from} to ${to} tokens the standard order grows by a factor of *${standard}*, the linear one ${linear === '1' ? '*not at all*' : `by *${linear}*`}.`,
    walled: (bytes: string, n: string) =>
      `This page can have ${bytes} of memory: one matrix of scores fits up to n = *${n}*.`,
    crossed: (n: string) => `Both are equal at n = *${n}*.`,
    caption: (d: number, dV: number, D: number, note: string) =>
      `d = ${d}, d_v = ${dV}, D = ${D}. ${note} Counted by the core, not measured.`,
  },
  handout: {
    heading: 'The handout’s numbers, product by product',
    n: 'tokens',
    d: 'columns of Q, K and V',
    order: 'Order',
    says: 'The handout says',
    first: 'First product',
    second: 'Second product',
    both: 'Both',
    normalized: 'Both and the normaliser',
    orders: { standard: '(QKᵀ)V', linear: 'Q(KᵀV)' },
    ratio: 'Standard : linear',
    noQuote: '(not quoted)',
    quote: (said: string) => `“${said}”`,
    verdict: (
      standard: string,
      linear: string,
      first: string,
      firstLinear: string,
      ratio: string,
      normalized: string,
    ) =>
      `Both products take *${standard}* times what the handout says for the standard order and *${linear}* times for the linear one: its numbers are those of one product each, ${first} and ${firstLinear}. The ratio of both is ${ratio} again; with the normaliser it is ${normalized}.`,
    caption: (n: number, d: number, source: string) =>
      `n = ${n}, d = d_v = ${d}. Multiply-adds counted by the core.${source ? ` Quoted: ${source}. Quotations are claims of that text, not results of this page.` : ''}`,
  },
  gains: {
    heading: 'How many times fewer multiply-adds',
    n: 'tokens',
    d: 'columns of Q, K and V',
    dTaylor: 'columns, Taylor map',
    variant: 'Variant',
    standard: 'Softmax’s order',
    linear: 'Linear order',
    crossover: 'n*',
    ratio: 'Gain',
    names: {
      plain: () => 'The two products',
      normalized: () => 'With the normaliser',
      causal: () => 'Causal',
      causalNormalized: () => 'Causal, with the normaliser',
      taylorCompact: (d: number) => `Taylor features of ${d} columns, compact`,
      taylor: (d: number) => `Taylor features of ${d} columns, all`,
    },
    caption: (n: number, d: number, dTaylor: number) =>
      `n = ${n}, d = d_v = ${d}; Taylor: d = ${dTaylor}, d_v = ${d}, against softmax of the same widths. Multiply-adds counted by the core; exponentials and the making of features are not among them.`,
  },
  scaling: {
    headings: {
      time: 'Time over length, measured here',
      adds: 'Multiply-adds of what was measured',
      bytes: 'Most bytes held at once',
    },
    nothing: 'Nothing is measured yet. Press Run experiment, or switch the recorded run on.',
    variant: 'Contenders',
    variants: {
      full: 'softmax and linear attention',
      causal: 'both causal',
      normaliser: 'linear with and without normaliser',
      taylor: 'Taylor features',
    },
    largest: 'Longest text',
    lengths: {
      1024: '1024 tokens',
      2048: '2048 tokens',
      4096: '4096 tokens',
      8192: '8192 tokens',
      16384: '16 384 tokens',
      32768: '32 768 tokens',
    },
    rounds: 'Rounds',
    d: 'columns of Q and K',
    dV: 'columns of V',
    show: 'The figure shows',
    shows: { time: 'time', adds: 'multiply-adds', bytes: 'bytes' },
    recorded: 'A recorded run beside it',
    recordedNote: 'Of another machine, d = d_v = 64. Costs no battery.',
    recordedMissing: 'The recorded run could not be loaded. Switch it off and on again.',
    slow: 'Softmax of a long text is one call of several seconds; Stop waits for the call under way.',
    contenders: {
      weights: 'Softmax, weights kept',
      softmax: 'Softmax, in tiles',
      linear: 'Linear, ELU + 1',
      softmaxCausal: 'Softmax, causal',
      linearCausal: 'Linear, causal',
      linearPlain: 'Linear, not normalised',
      linearNormalised: 'Linear, normalised',
      taylorCompact: 'Taylor, compact',
      taylor: 'Taylor, all products',
    } as Readonly<Record<string, string>>,
    other: (name: string, run: number) => `${name} (compared ${run})`,
    recordedLine: (name: string) => `${name} (recorded)`,
    x: 'n, tokens',
    y: { time: 'milliseconds', adds: 'multiply-adds', bytes: 'bytes' },
    units: { time: ' ms', adds: ' multiply-adds', bytes: '' },
    point: (name: string, n: number, value: string) => `${name}, n = ${n}: ${value}`,
    pointTimed: (
      name: string,
      n: number,
      median: string,
      low: string,
      high: string,
      adds: string,
      bytes: string,
    ) =>
      `${name}, n = ${n}: ${median} ms, half of the samples from ${low} to ${high}; ${adds} multiply-adds, ${bytes} at most at once`,
    measured: (n: string) => `measured: ${n}`,
    star: (n: string) => `n* = ${n}`,
    ends: (name: string, n: number) => `no memory: ${name}, ${n}`,
    wall: (n: number) => `the wall of n × n: ${n}`,
    limit: (bytes: string) => `end of memory: ${bytes}`,
    slope: (name: string, slope: string, low: string, high: string, from: number) =>
      `${name}: slope *${slope}* (${low} to ${high}), fitted from n = ${from} on`,
    crossings: {
      between: (linear: string, softmax: string, n: string) =>
        `Measured here, “${linear}” is faster than “${softmax}” from n = *${n}* on.`,
      below: (linear: string, softmax: string, n: string) =>
        `Measured here, “${linear}” is faster than “${softmax}” at every length, from n = ${n} on.`,
      never: (linear: string, softmax: string, n: string) =>
        `Measured here, “${linear}” is not faster than “${softmax}” up to n = ${n}.`,
    },
    starred: (n: string, causal: boolean) =>
      `By the formula they cross at n = *${n}*${causal ? ', with half of the cells' : ''}.`,
    countedCrossing: (n: string) =>
      `By all multiply-adds of what runs here it is from n = ${n} on.`,
    neverCounted: 'By the multiply-adds it never is.',
    ended: (name: string, n: number, why: string) =>
      `“${name}” ends before n = ${n}. The core says: ${why}.`,
    recordedFrom: ({
      machine,
      browser,
      date,
      command,
      rounds,
    }: {
      readonly machine: string;
      readonly browser: string;
      readonly date: string;
      readonly command: string;
      readonly rounds: number;
    }) =>
      `Recorded: medians of ${rounds} rounds, SIMD128 build, d = d_v = 64 (Taylor: d = 16). ${machine} cores, ${browser}, ${date}. Command: ${command}`,
    describe: (variant: string, largest: number, rounds: number, d: number, dV: number) =>
      `${variant}, up to n = ${largest}, ${plural(rounds, 'round')}, d = ${d}, d_v = ${dV}`,
    caption: (variant: string, d: number, dV: number, done: number, rounds: number) =>
      `${variant.charAt(0).toUpperCase()}${variant.slice(1)}. Medians of ${done === rounds ? plural(rounds, 'interleaved round') : `${done} of ${plural(rounds, 'interleaved round')}`} with quartiles (two rounds above 4096 tokens), float32, one head, one thread, d = ${d}, d_v = ${dV}, N(0, 1) inputs with seed 1. Multiply-adds and bytes by the core’s cost model.`,
  },
  longRun: {
    heading: 'Linear attention over a whole text',
    n: 'Tokens',
    lengths: { 4096: '4096', 16384: '16 384', 65536: '65 536' },
    map: 'Feature map',
    maps: { elu_plus_one: 'ELU + 1', taylor_compact: 'Taylor' },
    causal: 'Causal',
    causalNote: 'Token by token, with a state.',
    time: 'Time, call included',
    milliseconds: (value: string) => `${value} ms`,
    perToken: 'A token',
    microseconds: (value: string) => `${value} µs`,
    state: 'State: S and z',
    output: 'Output',
    weights: 'Softmax’s weights would take',
    limit: 'Memory this page can have',
    largest: 'Largest |output|',
    verdict: (beyond: boolean, times: string, bytes: string) =>
      beyond
        ? `The weights of softmax attention would take ${bytes}, *${times} times* the state: more than this page can have at all.`
        : `The weights of softmax attention would take ${bytes}, *${times} times* the state.`,
    said: (n: number, milliseconds: string) => `Done: ${n} tokens in ${milliseconds} milliseconds.`,
    describe: (n: number, map: string, causal: boolean) =>
      `${n} tokens, ${map}${causal ? ', causal' : ''}`,
    caption: (n: number, map: string, d: number, dV: number, causal: boolean, seed: number) =>
      `n = ${n}, d = ${d}, d_v = ${dV}, φ: ${map}, ${causal ? 'causal, token by token' : 'not causal'}, normalised. N(0, 1) inputs, seed ${seed}; float32, one head.`,
  },
};

export type Figures = typeof figures;
