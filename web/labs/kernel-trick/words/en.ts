import type { LabWords } from '../../../src/lab/types.ts';

export const words: LabWords = {
  steps: {
    brackets: 'One product, two orders',
    rounding: 'Equal on paper',
    softmax: 'What softmax breaks',
    kernel: 'From kernel to feature map',
    recurrent: 'A state instead of a matrix',
    denominators: 'When the denominator changes sign',
    claims: 'Three sentences of the handout',
    check: 'Check yourself',
  },

  prose: {
    brackets: [
      'Leave out the softmax, and attention is a product of three matrices. A row of $Q$ is a query, a row of $K$ a key, a row of $V$ a value. Products of matrices are *associative*: you may put the brackets where you like.',
      '$$(QK^{\\top})\\,V = Q\\,(K^{\\top}V)$$',
      'On the left the first product has a row for every query and a column for every key: $n \\times n$ numbers. It takes $n^2 d_k$ multiply-adds, and $n^2 d_v$ more to meet the values. On the right the first product has $d_k \\times d_v$ numbers, however long the sequence is, and each of the two products takes $n\\,d_k d_v$ multiply-adds.',
      'Play the figure above again and stop anywhere. The outlined row and column hold the terms of the cell at work; hover over any other cell, or walk there with the arrow keys, to see its terms. Then make $n$ larger and watch which counter runs away.',
    ],
    rounding: [
      'The handout asks you to confirm that both orders agree, with this line: `np.testing.assert_allclose(out1, out2, rtol=1e-5)`. That is a *relative* tolerance and nothing else: every entry may differ by a hundred-thousandth of itself.',
      'On paper there is nothing to test. But a float32 keeps 24 binary digits; after each addition the rest is rounded away, and two orders round in different places.',
    ],
    tolerance: [
      'Each mark in the picture is one entry of the first seed. Further to the right more of it has cancelled; further up the two orders differ more. The cloud follows the slope of the dashed line: the more cancels, the larger the relative difference. float64 keeps 29 more binary digits; compare the columns.',
      'So which test is right? One that knows how large the *terms* are: an absolute tolerance for the rounding you expect, and a relative one for the large entries. Raise `atol` until float32 passes.',
    ],
    luck: [
      'Is a failing seed bad luck? Run the experiment over seeds. Compare how far the worst entry jumps about with how far the median does. Then sweep over $n$: more terms, more rounding, in both precisions.',
    ],
    softmax: [
      'Real attention has a softmax between the two products:',
      '$$O = \\mathrm{softmax}\\!\\left(QK^{\\top}/\\sqrt{d_k}\\right) V$$',
      'It takes the exponential of every score, and it divides every row by its sum. Which of the two keeps the brackets where they are?',
      'Brackets move around *products*. $QK^{\\top}$ is a product of an $n \\times d_k$ and a $d_k \\times n$ matrix, so its rank is at most $d_k$. If the weights could be written as $n \\times D$ times $D \\times n$, you could move the brackets again, and $D$ would take the place of $d_k$. $D$ can be no smaller than the rank.',
    ],
    spectrum: [
      'But not all directions count alike: the singular values fall. The Taylor features of the next step reach the rank $1 + d + d(d+1)/2$ and no further, however many tokens there are. An exact factorisation is out of reach; whether a good one with few features is depends on how steeply the values fall. Set $d_k$ to 1 or 2, then to 16. Where the counted rank of softmax falls below $n$, the missing singular values are not zero: they lie under the dashed line, in the noise of float32.',
    ],
    tied: [
      'The division is an obstacle of another kind. It ties all keys of a row together: move one key, and the weights of the others change, although their scores do not.',
    ],
    sum: [
      'The row sum has to wait for all keys. In the linear order it can be had as cheaply as the rest, because a sum of products is a product with a sum: $\\sum_j \\varphi(q)\\cdot\\varphi(k_j) = \\varphi(q)\\cdot\\sum_j \\varphi(k_j)$. It takes one more vector, $z = \\sum_j \\varphi(k_j)$. So it is the exponential that stands in the way, not the division.',
    ],
    kernel: [
      'Turn the question round. Choose a map $\\varphi$ from $\\mathbb{R}^d$ to $\\mathbb{R}^D$ and *declare* $\\varphi(q)\\cdot\\varphi(k)$ to be the similarity that $e^{q\\cdot k/\\sqrt{d}}$ was. Then the brackets are free:',
      '$$O_i = \\frac{\\varphi(q_i)^{\\top}\\,\\sum_j \\varphi(k_j)\\,v_j^{\\top}}{\\varphi(q_i)^{\\top}\\,\\sum_j \\varphi(k_j)}$$',
      'A function $k(x, y) = \\varphi(x)\\cdot\\varphi(y)$ is a *kernel*, and $\\varphi$ is its *feature map*. A support vector machine uses the trick the other way: it evaluates $k$ and never writes $\\varphi$ down. Here $\\varphi$ is written down, so that the sum over keys can be taken before any query is known.',
    ],
    taylor: [
      'With the Taylor map the products are $1$, then $q_i k_i/\\sqrt{d}$, then $q_i q_j k_i k_j/(2d)$. They add up to $1 + s + s^2/2$ with $s = q\\cdot k/\\sqrt{d}$: the beginning of the series of $e^s$.',
      'The tutorial gives this map $d^2$ features and leaves the root out of $s$. Count the rows: there are $1 + d + d^2$, or $1 + d + d(d+1)/2$ when $x_1 x_2$ and $x_2 x_1$ are merged.',
    ],
    gram: [
      'Which similarities have a feature map? Take any points and write down the similarities of all pairs: the *Gram matrix*. If $k = \\varphi\\cdot\\varphi$, this is $\\varphi(X)\\varphi(X)^{\\top}$, and such a matrix has no negative eigenvalue. The converse is a theorem: where no set of points gives a negative eigenvalue, a feature map exists. The function is then called positive semi-definite.',
    ],
    recurrent: [
      'With a causal mask, query $t$ sees the keys $1$ to $t$. The two sums become running sums:',
      '$$\\begin{aligned} S_t &= S_{t-1} + \\varphi(k_t)\\,v_t^{\\top} \\\\ z_t &= z_{t-1} + \\varphi(k_t) \\\\ o_t &= \\frac{\\varphi(q_t)^{\\top} S_t}{\\varphi(q_t)\\cdot z_t} \\end{aligned}$$',
      'That is a recurrent network whose state is a matrix and a vector. Step through the tokens. In the drawing $\\varphi(k)$ stands to the left of $S$ and $v^{\\top}$ above it; where its row and column meet, each cell of $S$ receives their product.',
    ],
    forgets: [
      'See two things. The answers from $S$ and $z$ are those of the $n \\times n$ matrix; the largest difference is stated under them. And the state never grows: all that is remembered of the tokens before has to fit into $D(d_v + 1)$ numbers. A longer sequence costs no more memory, and finds less room for each token. Choose the Taylor features and see how much more room that buys.',
    ],
    denominators: [
      'The handout begins with the identity map, $\\varphi(x) = x$, and leaves out the division. Why not keep it? Because the denominator is then $q\\cdot\\sum_j k_j$, the product of two vectors that may point anywhere.',
    ],
    positive: [
      'Now change the map. With ELU + 1 and with the exponential every feature is positive, and so is every denominator. ReLU features are never negative, yet all of a query may be zero at once: with few columns some rows are divided by nothing but ε. Taylor features can be negative, and still $1 + s + s^2/2$ is never below one half. What counts is the sign of the *product*.',
      'ε is no cure for the identity. It keeps $0/0$ away; beside a denominator of ordinary size and the wrong sign it does nothing.',
    ],
    claims: [
      'You can now check what you were told. First: *“For d=64 and n=4096: … Speedup: 64x!”*',
    ],
    ratio: [
      'The quoted numbers count one product of the two. The ratio survives that, because both sides were halved. It does not survive everything: it holds for $D = d_k = d_v$, without the normaliser and without a causal mask. And it counts multiply-adds, not seconds; Lab 1 measures those.',
    ],
    same: [
      'Second: *“Verification that both produce equivalent results (with the right feature map)”*. If this means the two orders, it holds for *every* map, up to rounding: that is associativity. If it means the result of softmax, you have seen that no finite $D$ gives it.',
      'Third: *“Different feature maps approximate softmax to different degrees.”* ELU + 1 was not built to approximate softmax: it was chosen because it is positive and has a gradient everywhere. The Taylor map and the random features of Performer were built for it. Does the table bear that out?',
    ],
    unbiased: [
      'Read the row of the random features twice. They are *unbiased*: right on average over all projections. How far off is this one? Lower $d$ to 4 and see it recover, with as many features as before; then draw new seeds and see how much luck is left in it. Lab 3 takes that apart.',
    ],
  },

  predictions: {
    small: {
      question:
        'Two tokens, but wide ones: n = 2 and d_k = d_v = 4. Which order needs fewer multiply-adds?',
      options: {
        standard: '$(QK^{\\top})V$',
        linear: '$Q(K^{\\top}V)$',
        same: 'Both need the same number',
      },
      why: [
        'Compare $n^2(d_k + d_v)$ with $2\\,n\\,d_k d_v$. The first grows with the square of the length, the second with the product of the widths. They meet at $n = 2 d_k d_v/(d_k + d_v)$: for shorter sequences, moving the brackets makes it dearer.',
      ],
    },
    rtol: {
      question:
        'You draw Gaussian Q, K and V in float32 with n = 100 and d_k = d_v = 64, compute both orders without a mistake, and run the handout’s test with rtol=1e-5. You do so for 20 seeds. How many pass?',
      options: { all: 'All of them', some: 'Some of them', none: 'Not one' },
      why: [
        'Look at the worst entry. Its terms, added up without their signs, are far larger than the entry: they cancel, their rounding errors do not. The *terms* set the error and the *result* sets the tolerance, and among thousands of entries a few nearly cancel.',
      ],
    },
    rank: {
      question:
        'n = 32 tokens, d_k = 4. $QK^{\\top}$ has 32 rows and columns, but its rank is at most 4. And $\\mathrm{softmax}(QK^{\\top}/\\sqrt{d_k})$?',
      options: {
        four: 'At most 4 as well',
        between: 'More than 4, less than 32',
        full: 'The full 32',
      },
      why: [
        'The exponential bends every entry by itself. In $e^s = 1 + s + s^2/2 + \\dots$ each power of $s$ has a rank of its own, and the series has no end; dividing the rows by their sums changes no rank. For such points the matrix uses all directions there are, for every $n$. No fixed $D$ suffices: an *exact* feature map of softmax has infinitely many features.',
      ],
    },
    psd: {
      question:
        'ELU(s) + 1 is positive for every s and rises with s, much like e^{s}. Could it stand in for e^{s} as a similarity with a feature map? Take eight points in the plane and s = x·y.',
      options: {
        kernel: 'These points allow it: no eigenvalue is negative',
        none: 'No: an eigenvalue is negative',
      },
      why: [
        'Positive entries do not make positive eigenvalues. Mind where ELU + 1 is applied. To the *vectors*, it is a fine feature map: $\\varphi(q)\\cdot\\varphi(k)$ is a kernel by construction. To the *score*, it is none. $s$, $s^2$ and $e^s$ are kernels: sums and products of kernels are kernels again, and all coefficients of the series of $e^s$ are positive.',
      ],
    },
    negative: {
      question:
        '100 Gaussian tokens, d_k = 64, identity map. What share of the 100 denominators q·Σk is negative?',
      why: [
        'The queries know nothing of the direction of $\\sum_j k_j$, so each sign is as good as a coin’s; compare several seeds. A negative denominator turns its row round: the keys that fit best get the most negative weights. And where many lie on both sides of zero some lie close to it: those rows explode.',
      ],
    },
  },

  checks: {
    double: {
      question:
        'You double n and leave d_k and d_v as they are. What happens to the multiply-adds of $(QK^{\\top})V$ and of $Q(K^{\\top}V)$?',
      options: {
        both2: {
          text: 'Both double',
          why: '$QK^{\\top}$ has a row for each query and a column for each key. Both become twice as many.',
        },
        'four-two': {
          text: '$(QK^{\\top})V$: four times as many; $Q(K^{\\top}V)$: twice as many',
          why: 'n²(d_k + d_v) against 2·n·d_k·d_v.',
        },
        'four-four': {
          text: 'Both: four times as many',
          why: '$K^{\\top}V$ keeps its d_k × d_v cells. Only the sum in each of them gets longer, by a factor of two.',
        },
        'two-four': {
          text: '$(QK^{\\top})V$: twice as many; $Q(K^{\\top}V)$: four times as many',
          why: 'It is the other way round: n occurs twice in the shape of $QK^{\\top}$ and not at all in that of $K^{\\top}V$.',
        },
      },
    },
    test: {
      question:
        'Your two orders agree in float32 to 4 digits in some entries and to 7 in most. The entries that agree to 4 digits are small. What do you conclude?',
      options: {
        bug: {
          text: 'One of the two is wrong',
          why: 'A mistake in the code would hit large entries too. These are entries in which the terms nearly cancel.',
        },
        rtol: {
          text: 'The test needs a larger rtol',
          why: 'That would let large entries be wrong as well, and still some entry cancels even more.',
        },
        both: {
          text: 'The test needs an atol of the size of the terms’ rounding',
          why: 'The error has the size of the rounded terms, whatever the entry is. An absolute tolerance says that; rtol covers the large entries.',
        },
        bits: {
          text: 'The test should compare bits',
          why: 'Only sums without any rounding pass that, as with small whole numbers in the first figure.',
        },
      },
    },
    obstacle: {
      question:
        'What keeps the brackets in $\\mathrm{softmax}(QK^{\\top}/\\sqrt{d_k})V$ where they are?',
      options: {
        division: {
          text: 'The division by the row sum',
          why: 'For a kernel with features that sum is φ(q)·z. The division is a number for each row and can come last.',
        },
        exponential: {
          text: 'The exponential of each score',
          why: 'It makes a matrix of full rank from one of rank d_k, so that no product with fixed D gives it exactly.',
        },
        scale: {
          text: 'The factor $1/\\sqrt{d_k}$',
          why: 'A factor can be put into Q or K.',
        },
        mask: {
          text: 'The causal mask',
          why: 'There is none in the formula, and with one the sums become running sums: that is the state.',
        },
      },
    },
    psd: {
      question: 'When does a symmetric similarity k(x, y) have a feature map?',
      options: {
        positive: {
          text: 'When it is positive',
          why: 'ELU(s) + 1 and max(0, s) have no negative value; see their eigenvalues.',
        },
        symmetric: {
          text: 'Symmetry is enough',
          why: '−x·y is symmetric, and no φ(x)·φ(x) is negative.',
        },
        eigenvalues: {
          text: 'When no Gram matrix has a negative eigenvalue',
          why: 'For all points and any number of them. That is what positive semi-definite means here.',
        },
        grows: {
          text: 'When it grows with x·y',
          why: 'ELU(s) + 1 does, and it has none.',
        },
      },
    },
    state: {
      question: 'What is kept after token t in the recurrent form?',
      options: {
        outer: {
          text: 'The sum of $\\varphi(k)v^{\\top}$ over the tokens so far',
          why: 'That is S, D × d_v.',
        },
        keys: {
          text: 'The sum of φ(k) over the tokens so far',
          why: 'That is z, for the denominator.',
        },
        list: {
          text: 'All keys and values so far',
          why: 'That is the cache of softmax attention. It grows with every token; S and z do not.',
        },
        queries: {
          text: 'The queries so far',
          why: 'A query reads the state once and is never needed again.',
        },
      },
    },
    identity: {
      question: 'You use the identity as feature map and divide by q·Σk. What is true?',
      options: {
        epsilon: {
          text: 'ε = 10⁻⁶ keeps the weights bounded',
          why: 'It only helps where the denominator is about as small as ε itself.',
        },
        negative: {
          text: 'Weights can be negative, and far larger than 1',
          why: 'Whenever the denominator is negative or close to zero.',
        },
        seed: {
          text: 'It happens with an unlucky seed only',
          why: 'Try seeds in the figure.',
        },
        unnormalised: {
          text: 'Without the division it is harmless: a linear map',
          why: 'Then it is $QK^{\\top}V$. That is how the handout uses it, and why its two orders agree.',
        },
      },
    },
  },

  tries: {
    sizes: {
      wide: { title: 'Two wide tokens', text: 'The sizes of the question.' },
      long: { title: 'Eight narrow tokens', text: 'Which counter grew more?' },
      real: {
        title: 'Gaussian numbers',
        text: 'Are both results still the same bits once the numbers are not whole?',
      },
    },
    tolerances: {
      handout: { title: 'The handout’s test', text: 'rtol = 1e-5, no absolute tolerance.' },
      absolute: {
        title: 'With an atol',
        text: 'The same rtol, and 1e-3 for the rounding of the terms.',
      },
      longer: {
        title: 'A longer sequence',
        text: 'More and larger terms: is the same atol still enough?',
      },
    },
    vectors: {
      near: { title: 'Short vectors', text: 's is near 0, where the series begins.' },
      large: { title: 'Long vectors', text: 's is large and positive. Which is larger now?' },
      opposite: {
        title: 'Opposite vectors',
        text: 's is very negative and e^{s} nearly 0. What does 1 + s + s²/2 do?',
      },
      elu: {
        title: 'ELU + 1',
        text: 'Two features. Is there any reason that this should be e^{s}?',
      },
    },
    maps: {
      elu: { title: 'ELU + 1', text: 'All features positive.' },
      relu: { title: 'ReLU with two columns', text: 'Look for denominators of zero.' },
      taylor: { title: 'Taylor', text: 'Features of both signs.' },
    },
    counts: {
      short: { title: 'A short sequence', text: 'n = 32: which order is dearer?' },
      taylor: { title: 'Taylor features', text: 'd_k = 16, all products of two, each once.' },
    },
  },

  references: {
    'transformers-are-rnns':
      'The linear order with ELU + 1, and its recurrent form: equations 4 to 6 and 16 to 20.',
    'efficient-attention': 'The same change of order, with softmax applied to Q and K separately.',
    dissection: 'Attention read as a kernel smoother; which kernels work.',
    'fast-weights': 'The state as a memory that is written and read, and how much it holds.',
    based: 'The Taylor feature map, and what recall costs in numbers of state.',
    performer: 'Random positive features that are right on average.',
    goldberg: 'Cancellation, and why the last digits depend on the order.',
  },

  summary: [
    '$(QK^{\\top})V = Q(K^{\\top}V)$. The left side costs $n^2(d_k + d_v)$ multiply-adds and $n^2$ numbers, the right side $2\\,n\\,d_k d_v$ and $d_k d_v$.',
    'The orders round differently. Compare with an `atol` of the size of the terms’ rounding; `rtol` alone fails where terms cancel.',
    'The exponential makes full rank out of rank $d_k$: no finite feature map gives softmax exactly. The division is harmless: $z = \\sum_j \\varphi(k_j)$.',
    'A kernel is a similarity with a feature map; test: no Gram matrix has a negative eigenvalue. Taylor of order 2 gives $1 + s + s^2/2$.',
    'Causal linear attention is a state: $S_t = S_{t-1} + \\varphi(k_t)v_t^{\\top}$, $z_t = z_{t-1} + \\varphi(k_t)$, of $D(d_v+1)$ numbers at every $t$.',
    'Divide only by denominators that cannot vanish or change sign: positive features, or a product that stays positive.',
  ],
};
