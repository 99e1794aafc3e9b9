import { expect, test } from 'vitest';
import { MIN_PASSWORD_SCORE, loadEstimator } from './strength.ts';

// A graphics card needs twelve days to guess a password with zxcvbn's highest score (10^10 guesses).
test.each([
  ['password1', false],
  ['mango-42', false],
  ['kJ8#mQ2x', false],
  ['kJ8#mQ2xPw', false],
  ['Tr0ub4dor&3', false],
  ['violet mango 42', false],
  ['violet-harbour-mango-42', true],
  ['walnut saddle rocket ninety', true],
  ['kJ8#mQ2xPw!v7', true],
])(
  '%s is accepted only if a thief of the disk needs years to crack it: %s',
  async (password, taken) => {
    const judge = await loadEstimator();
    expect(judge(password).score >= MIN_PASSWORD_SCORE).toBe(taken);
  },
  20_000,
);
