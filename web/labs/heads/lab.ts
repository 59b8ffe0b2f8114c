/** The lab as data: its steps are in steps/, its words in words/, its figures in figures/. */
import type { Lab } from '../../src/lab/types.ts';
import { browser, cpu, seconds } from './run-times.json';
import { anatomy } from './steps/anatomy.ts';
import { bits } from './steps/bits.ts';
import { cut } from './steps/cutting.ts';
import { sight } from './steps/directions.ts';
import { grow } from './steps/induction.ts';
import { meaning } from './steps/meaning.ts';
import { own } from './steps/own.ts';
import { sharing } from './steps/sharing.ts';
import { swap } from './steps/swap.ts';
import { handout } from './steps/text.ts';

export const lab: Lab = {
  id: 'heads',
  number: 7,
  part: 'length',
  takesText: 'text',
  requires: ['surgeon'],
  opening: { id: 'heads', tag: 'attn-heads-opening' },
  steps: [anatomy, grow, meaning, cut, sight, sharing, bits, own, swap, handout],
  references: [
    {
      id: 'attention',
      title: 'Vaswani et al. 2017, Attention Is All You Need',
      url: 'https://arxiv.org/abs/1706.03762',
      where: '3.2.2',
    },
    {
      id: 'pruning',
      title: 'Voita et al. 2019, Analyzing Multi-Head Self-Attention',
      url: 'https://arxiv.org/abs/1905.09418',
      where: '4',
    },
    {
      id: 'induction',
      title: 'Olsson et al. 2022, In-context Learning and Induction Heads',
      url: 'https://arxiv.org/abs/2209.11895',
    },
    {
      id: 'bottleneck',
      title: 'Bhojanapalli et al. 2020, Low-Rank Bottleneck in Multi-head Attention Models',
      url: 'https://arxiv.org/abs/2002.07028',
    },
    {
      id: 'look',
      title: 'Clark et al. 2019, What Does BERT Look At?',
      url: 'https://arxiv.org/abs/1906.04341',
    },
  ],
  runTimes: { browser, cpu, seconds },
  words: { en: () => import('./words/en.md') },
};
