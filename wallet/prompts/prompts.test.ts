/** Tests the two kinds of prompts whose answers differ most. prompts.full.test.ts tests the other kinds. */
import { describe } from 'vitest';
import { kinds } from './testing-prompts.ts';
import { testPrompts } from './testing-rules.ts';

describe.each(kinds.filter(({ name }) => name === 'payment' || name === 'permission'))(
  'a prompt of the kind $name',
  testPrompts,
);
