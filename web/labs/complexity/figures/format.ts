export * from '../../../src/plot/counts.ts';
