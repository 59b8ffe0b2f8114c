/** The lab's words in English. Another language is another file with the same exports. */
import type { LabWords } from '../../../src/lab/types.ts';

export const words: LabWords = {
  steps: {
    ways: 'Two ways to weigh',
    curves: 'What a map does to a number',
    beside: 'Any two maps, side by side',
    stars: 'Every star a number',
    estimate: 'Estimating the exponential',
    expand: 'Or expanding it',
    dead: 'Dead rows and gradients',
    price: 'What quality costs',
    honest: 'What is real here, and what is not',
  },
  prose: {
    ways: [
      'Attention answers a *query* with an average of *values*. How much each value counts depends on how well its *key* matches the query. Softmax attention measures the match with an exponential:',
      '$$A_{ij} = \\frac{e^{\\,q_i \\cdot k_j/\\sqrt{d_k}}}{\\sum_l e^{\\,q_i \\cdot k_l/\\sqrt{d_k}}}$$',
      'The exponential makes every weight positive, and strong matches much stronger. It also ties each query to each key: with $n$ tokens there are $n^2$ weights to compute, and no way round them.',
      'Replace the exponential with a dot product of *features*, and the knot opens. Pass query and key through a feature map $\\varphi$ first, then multiply:',
      '$$\\tilde A_{ij} = \\frac{\\varphi(q_i)\\cdot\\varphi(k_j)}{\\varphi(q_i)\\cdot\\sum_l \\varphi(k_l)}$$',
      'The sum over keys no longer contains the query, so it can be computed once and reused by all of them. The cost grows with $n$, not $n^2$. That is linear attention. Its weights are never written down when it runs, which is why they are called *implicit*; the figure above writes them down so that you can look.',
      'So all depends on $\\varphi$. The picture of the difference shows what is lost when you choose one: blue where the feature map pays too little attention, orange where it pays too much.',
      'Each button below sets the knobs of the figure above. Your browser’s Back button returns to where you were.',
    ],
    curves: [
      'Most maps work on one coordinate at a time, so you can draw them as a curve. The figure moves a vector along a line through the origin and draws the first features it gives, with their slopes dashed.',
      'Look at two things. Where is the curve 0? There the coordinate says nothing, and where its slope is 0 too, nothing can be learned from it. The table below the curves lists both, and where a number gets too small for float32. And how fast does the curve grow? Softmax doubles a weight whenever the score rises by the same amount; on the logarithmic axis such growth is a straight line. Choose exp and see, then ELU + 1: right of 0 it bends.',
      'What counts in the end is the *kernel*, $\\varphi(q)\\cdot\\varphi(k)$ against the score. It has a figure of its own further down, where you can choose any map.',
    ],
    beside: [
      'A single picture next to softmax says how one map fails. Two maps next to it say which failure you prefer. All three pictures below share one colour scale: the same colour is the same weight.',
      'The data is what you chose in the first figure: its sentence, its Gaussian matrices, or your own. Change it there and it changes here.',
    ],
    ranking: [
      'Now look at that very case: the button sets the first figure to that data, and you choose the maps here.',
    ],
    stars: [
      'Course texts like to grade feature maps with stars. The one behind this lab gives ELU + 1 two stars for its approximation of softmax, ReLU one, squared ReLU two, and random features four. It also prints a mean squared error and a correlation for the first three, “expected” for $n = 100$ queries and keys of width $64$ with $N(0, 1)$ entries.',
      'A star cannot be checked. A number can, and the first check needs no run at all: ask how large a mean squared error can be.',
    ],
    bound: [
      'Both pictures hold averages: no weight is negative, every row sums to 1. Take one row of each, $p$ and $a$. Then $\\sum_j (p_j - a_j)^2 \\le \\sum_j p_j^2 + \\sum_j a_j^2 \\le 1 + 1$, with equality only where both put all their weight on one key, each on another. The mean over the $n$ cells of a row is therefore at most $2/n$. So is the mean over all rows.',
      'Every mean squared error that the course text prints is larger than that. No feature map, no seed and no data that give averages can produce them.',
    ],
    registry: [
      'So measure. The run below takes every map of the registry over the same draws and keeps the median. Positivity is *observed*: the smallest weight that came out, not what a formula promises. The time is that of linear attention in your browser, with softmax attention timed in turn with it. Click a column to sort by it.',
      'Read the mean squared error against its baseline. Giving every key the same weight has one too, and it is in the line below the table. Most maps hardly beat it. Softmax itself is close to equal weights when $n$ is large and the scores are scaled, so a small error is no praise. The correlation and the output error tell more: does the map put its weight where softmax does, and what reaches the next layer?',
      'Then use the switch: without the factor $1/\\sqrt{d_k}$, as the course text’s own formula has it, the scores are eight times larger at $d_k = 64$. See which numbers survive.',
    ],
    random: [
      'Random features take another road. They do not replace the exponential, they *estimate* it: $\\varphi(x)$ holds $m$ numbers made with a random matrix, and the average of $\\varphi(q)\\cdot\\varphi(k)$ over all random matrices is exactly $e^{q\\cdot k/\\sqrt{d}}$. The estimate is called unbiased.',
      'The course text gives them four stars and calls them an exact approximation. It also says “always positive”, and in the same breath tells you to build them from $\\cos$ and $\\sin$.',
    ],
    variance: [
      'Unbiased is a statement about the average over draws. A model has one draw. How far a single draw is off depends on $\\lVert x + y\\rVert^2$ of the scaled vectors, and for positive features the relative variance is $(e^{\\lVert x + y\\rVert^2} - 1)/m$. The exponential of a squared length, which for $N(0, 1)$ entries is about $2\\sqrt d$. Quadrupling $m$ halves the error; against an exponential that is not much.',
      'What does help is smaller inputs. In the figure below set “inputs times” to 1 and run it; then take a smaller factor, run it again, and compare the two runs: the lines fall. The dashed lines are what Lemma 2 of the Performer paper predicts. They fall like $1/\\sqrt m$.',
      'Then compare the kinds. Orthogonal rows help a little. The trigonometric form is the one from the course text’s hint. With small inputs it does well. With larger ones its estimates turn negative, and its error is largest where softmax is smallest: the second figure below counts the negative ones. Performer introduced the positive form because of that.',
    ],
    collapse: [
      'So far the question was how many features one size of inputs needs. The next figure asks the other way round: with so many features, how large may the inputs be? It sweeps the factor and marks where the attention of random features becomes worse than equal weights. Beyond that they have collapsed.',
    ],
    taylor: [
      'The third road: expand the exponential, $e^s \\approx 1 + s + s^2/2$ with $s = q\\cdot k/\\sqrt d$. Every term is a polynomial in $q$ and $k$, so it is a dot product of features: one for the constant, $d$ for the linear term, $d^2$ for the products. There is nothing random in it.',
      'The sum can be written as $\\tfrac12 + \\tfrac12(1 + s)^2$. It never falls below one half, although $\\varphi$ itself has negative entries. Look at both ends of the axis: on the right it falls behind the exponential, on the left it turns round and *grows*.',
      'How bad that is depends on where your scores lie. For $N(0, 1)$ entries and the factor $1/\\sqrt d$ they have standard deviation 1. Between the dashed uprights the polynomial is within a tenth of the exponential: most scores lie there, and the error comes from the others.',
    ],
    dead: [
      'A map that is 0 for half of all numbers can lose everything. If all coordinates of a query are negative, ReLU makes it the zero vector: $\\varphi(q)\\cdot\\varphi(k) = 0$ for every key, its denominator is 0, its output is 0. The row is dead, and because the slope is 0 as well, no gradient brings it back.',
    ],
    counted: [
      'For independent signs a query of width $d$ is dead with probability $2^{-d}$, and a pair of query and key has nothing in common with probability $(3/4)^d$. These are the dashed lines. The points are counted in draws.',
    ],
    gradients: [
      'Few rows are dead at usual widths. The rest still has to learn. Below, every map gets the same gradient at its output, and the backward pass says what reaches the queries.',
      'Three things can go wrong, and each has its map. A bar far to the left of softmax’s, as that of ELU + 1, is a gradient that has nearly vanished everywhere. ReLU’s bar lies closer, but open the table: about half of the entries are 0, and squaring does not bring them back. Far to the right are the maps whose $\\varphi(q)\\cdot\\varphi(k)$ can be negative: where a denominator comes near 0, a few rows get huge. They would hold up any mean, which is why the figure shows quantiles.',
    ],
    price: [
      'You cannot have everything. More features cost time and memory: linear attention does about $2nD d_v$ multiply-adds, and it keeps a state of $D\\,(d_v + 1)$ numbers. Softmax attention does $n^2(d_k + d_v)$. So linear attention only pays above a certain length, and that length grows with $D$.',
    ],
    pareto: [
      'Each point is one map, measured here: its features or its time against its error. Maps with a knob for $D$ appear several times. A point is on the *front* when no other is at least as good in both; the fastest map is always on it, however wrong it is. Everything above the front is a bad deal on this data, on this machine.',
      'Change the data and the length, and the front changes. That is the point: there is no best map, there is a best map for a budget.',
    ],
    honest: [
      'The arithmetic is real: a C++ core computes each number on this page, in your browser, and the same seed gives the same numbers on every machine. Only times are your machine’s own.',
      'The language is not real: the sentence goes through a random, *untrained* embedding, so its patterns say which words are equal and close, not what they mean.',
      'And a feature map inside a trained model is learned around. A large difference here says that the two are not interchangeable, not that the model would fail. Hedgehog and T2R have weights that are meant to be trained; here they are the identity.',
    ],
  },
  predictions: {
    ranking: {
      question:
        'Queries and keys of width 64 with $N(0, 1)$ entries, 100 of each. Which map’s weights correlate best with those of softmax?',
      options: {
        elu_plus_one: 'ELU + 1, the map of the first linear transformer',
        relu: 'ReLU, which throws half of every vector away',
        squared_relu: 'Squared ReLU, which makes large coordinates count more',
      },
      why: [
        'ELU + 1 adds almost a constant to every feature: each weight holds a large part that is the same for all keys, and the rest drowns in it. ReLU has no such floor. Squaring gives single large coordinates too much say. The course text puts ReLU last of the three; the table in the next step has the numbers.',
      ],
    },
    bound: {
      question:
        'The course text prints a mean squared error of “0.0823” for ELU + 1 at $n = 100$. Two pictures of 100 × 100 weights, every row an average: how large can their mean squared error be *at most*?',
      why: [
        'It is $2/n$, and the core returns it with every comparison. Compare it with the number in quotes.',
      ],
    },
    unbiased: {
      question:
        'The same Gaussian data, width 64. Whose weights correlate better with softmax: those of 128 positive random features, which estimate the exponential without bias, or those of ELU + 1, which was never meant to?',
      options: {
        random: 'The random features',
        elu: 'ELU + 1',
      },
      why: [
        'Without bias does not mean close. At this width the estimates vary so much from draw to draw that their average is out of reach for any $m$ you could afford. Use smaller inputs and it turns round: the figure below shows where.',
      ],
    },
    dead: {
      question:
        'Queries of width 4 with $N(0, 1)$ entries. What share of them becomes the zero vector under ReLU?',
      why: [
        'All four coordinates have to be negative, each with probability one half. The share falls by half with each further dimension. It is no accident of this seed: draw new ones in the figure above.',
      ],
    },
    time: {
      question:
        'Linear attention with the Taylor map against softmax attention, 1024 tokens of width 64, timed in your browser right now. Which is faster?',
      options: {
        softmax: 'Softmax attention',
        taylor: 'Linear attention with the Taylor map',
      },
      why: [
        'Taylor has $1 + d + d^2$ features. Linear attention does fewer multiply-adds only beyond about $n^* = 2 D d_v/(d_k + d_v)$ tokens, and at equal widths that is $D$ itself. Linear in $n$ says how it grows, not where it starts.',
      ],
    },
  },
  checks: {
    average: {
      question: 'What makes the implicit weights of a row a weighted average?',
      options: {
        sum: {
          text: 'That they are divided by their sum.',
          why: 'That makes them sum to 1, but with φ(x) = x some are negative, and the sum itself may be 0. Try “Let the denominator change sign” above.',
        },
        sign: {
          text: 'That no φ(q)·φ(k) of the row is negative and at least one is positive, and that they are divided by their sum.',
          why: 'Then all weights lie between 0 and 1 and sum to 1.',
        },
        wide: {
          text: 'That φ has more features than there are coordinates.',
          why: 'ELU + 1 has just as many, and its rows are averages.',
        },
        smooth: {
          text: 'That φ is differentiable.',
          why: 'That helps learning. ReLU is not differentiable at 0 and its weights are an average wherever a row is not dead.',
        },
      },
    },
    squared: {
      question: 'The course text’s table says: squared ReLU, “✓ Always” positive. What is true?',
      options: {
        always: {
          text: 'Always positive: a square cannot be negative.',
          why: 'Not negative is not the same as positive. The square of 0 is 0.',
        },
        zeros: {
          text: 'Never negative, with exactly the zeros of ReLU.',
          why: 'max(0, x)² is 0 wherever max(0, x) is. Its slope is continuous there, but 0 too.',
        },
        fewer: {
          text: 'Sometimes 0, but less often than ReLU.',
          why: 'The zeros are the same. Only the curve next to them is another.',
        },
      },
    },
    impossible: {
      question:
        'You run your own code and get a mean squared error above $2/n$. What do you look for?',
      options: {
        map: {
          text: 'A better feature map.',
          why: 'No map can do that as long as both pictures are averages. The measurement is wrong, or one of the pictures is no average.',
        },
        rows: {
          text: 'Rows that were not divided by their sum.',
          why: 'Most likely: without the division there is no bound.',
        },
        negative: {
          text: 'Negative weights, or denominators near 0.',
          why: 'Those break the average as well: a row that sums to 1 by cancelling can be as large as you like.',
        },
        seed: {
          text: 'An unlucky seed.',
          why: 'The bound holds for every seed.',
        },
      },
    },
    unbiased: {
      question: 'What does “unbiased” promise about random features?',
      options: {
        mean: {
          text: 'The average of φ(q)·φ(k) over all draws is the exponential.',
          why: 'And nothing else. How far one draw is off is the variance, and that grows like an exponential of the vectors’ lengths.',
        },
        close: {
          text: 'A single draw is close to the exponential.',
          why: 'Only if the variance is small, and that is another question. The figure above measures it.',
        },
        weights: {
          text: 'The normalised weights are right on average.',
          why: 'They are ratios of two estimates. A ratio of unbiased estimates is biased.',
        },
      },
    },
    taylor: {
      question: 'Can the order-2 Taylor map give a negative weight?',
      options: {
        yes: {
          text: 'Yes: its features can be negative.',
          why: 'Features can, but their product is ½ + ½(1 + s)², which is at least one half.',
        },
        no: {
          text: 'No: the kernel is a sum of squares.',
          why: '½ and ½(1 + s)²: at least ½ for every score. With one term more, s³/6, this would not hold.',
        },
        far: {
          text: 'Only for very negative scores.',
          why: 'There it makes the opposite mistake: it grows again, and gives weight to the worst match.',
        },
      },
    },
    front: {
      question: 'A map lies above the front in the picture of time against error. What follows?',
      options: {
        useless: {
          text: 'It is useless.',
          why: 'Other data, another width, or training may move it. Nothing here is trained.',
        },
        dominated: {
          text: 'On this data and this machine some other map is at least as fast and at least as close.',
          why: 'That is all that the front says.',
        },
        slower: {
          text: 'It is slower than softmax.',
          why: 'Softmax’s time is the upright line. A point can be left of it and above the front.',
        },
      },
    },
  },
  tries: {
    opening: {
      sign: {
        title: 'Let the denominator change sign',
        text: 'With φ(x) = x nothing keeps φ(q)·φ(k) positive. Watch the sums a row is divided by cross zero, and weights explode around the crossing. The warnings under the figure count them.',
      },
      dead: {
        title: 'Find the dead rows of ReLU',
        text: 'In two dimensions a query often has no positive entry at all. Then φ(q) is zero, and the row attends to nothing. Raise d_k and see how soon that stops.',
      },
      sharp: {
        title: 'Turn the scale off',
        text: 'Without 1/√d_k the softmax sees larger scores and picks one winner per row. Most feature maps cannot follow: their weights change too slowly with q·k.',
      },
      causal: {
        title: 'Add the causal mask',
        text: 'The first query sees one key only, so both pictures must agree there. See how the disagreement grows with the number of keys to choose from.',
      },
      random: {
        title: 'Buy accuracy with random features',
        text: 'Random features estimate the exponential itself; in the limit of many features they are exact. Drag their number up and down, and draw new seeds: how many does it take here?',
      },
    },
    curves: {
      kink: {
        title: 'Square the ReLU',
        text: 'The curve leaves 0 without a kink. Where it is 0 it stays 0, and so does its slope.',
      },
      underflow: {
        title: 'Take exp far to the left',
        text: 'On paper e^{x} is positive everywhere. In float32 it is exactly 0 from some point on: the table says where.',
      },
    },
    kernels: {
      elu: {
        title: 'The kernel of ELU + 1',
        text: 'It grows, but nothing like the exponential: this is what “never meant to approximate” looks like.',
      },
      relu: {
        title: 'ReLU beside Taylor',
        text: 'Two kernels against the exponential. Which one follows it, and over which part of the axis?',
      },
    },
    handout: {
      data: {
        title: 'The course text’s data in the first figure',
        text: 'A hundred Gaussian tokens of width 64. The pictures below follow.',
      },
    },
  },
  references: {
    attention:
      'Softmax attention, and the scale $1/\\sqrt{d_k}$, which the course text’s formula leaves out.',
    linear: 'Linear attention with ELU + 1, and its reading as a recurrent network.',
    performer:
      'Positive random features, their variance (Lemma 2), and why not $\\cos$ and $\\sin$.',
    based: 'The Taylor map with a small width, and what it recalls.',
    hedgehog: 'Maps trained to mimic the weights of softmax.',
    t2r: 'ReLU with a learned matrix in front.',
    cosformer: 'ReLU with a preference for near positions.',
  },
  summary: [
    'Linear attention replaces $e^{q\\cdot k/\\sqrt d}$ with $\\varphi(q)\\cdot\\varphi(k)$, so that sums over keys are shared by all queries.',
    'Its rows are averages only if no $\\varphi(q)\\cdot\\varphi(k)$ is negative and not all are 0.',
    'Two averages over $n$ keys have a mean squared error of at most $2/n$. A larger number is a bug in the measurement.',
    'A small mean squared error is no praise: compare it with that of equal weights, and look at correlation and output error.',
    'Unbiased is not close. The variance of random features grows with the exponential of $\\lVert q + k\\rVert^2/\\sqrt d$, and falls only with $1/m$.',
    'The second-order Taylor map is close while scores stay near 0, never negative, and costs $1 + d + d^2$ features.',
    'ReLU kills a query with probability $2^{-d}$, and its gradient with it. Squared ReLU has the same zeros.',
    'Linear attention does less work than softmax only beyond $n^* = 2 D d_v/(d_k + d_v)$ tokens.',
  ],
};
