import { expect, test } from 'vitest';
import type { Part } from './affected.ts';
import { keepFresh } from './parts.ts';

function recorded(during: (part: Part) => void = () => {}) {
  const made: Part[] = [];
  const failures: Part[] = [];
  const make = (part: Part) => async () => {
    made.push(part);
    during(part);
  };
  const parts = keepFresh(
    { button: make('button'), extension: make('extension'), service: make('service') },
    (part) => failures.push(part),
    0,
  );
  return { parts, made, failures };
}

test('simultaneous changes build each part once, the service last', async () => {
  const { parts, made } = recorded();
  parts.stale(['service', 'extension']);
  parts.stale(['button']);
  parts.stale(['extension']);
  await parts.settled();
  expect(made).toEqual(['button', 'extension', 'service']);
});

test('the service restarts with a new button', async () => {
  const { parts, made } = recorded();
  parts.stale(['button']);
  await parts.settled();
  expect(made).toEqual(['button', 'service']);
});

test('a part that changes during its build is rebuilt', async () => {
  let again = true;
  const { parts, made } = recorded(() => {
    if (again) parts.stale(['extension']);
    again = false;
  });
  parts.stale(['extension']);
  await parts.settled();
  expect(made).toEqual(['extension', 'extension']);
});

test('a failed part is reported, and the others are built', async () => {
  const { parts, made, failures } = recorded((part) => {
    if (part === 'button') throw new Error('a syntax error');
  });
  parts.stale(['button', 'extension']);
  await parts.settled();
  expect(failures).toEqual(['button']);
  expect(made).toEqual(['button', 'extension', 'service']);
});
