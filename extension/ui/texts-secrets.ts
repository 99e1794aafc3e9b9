/** Texts about passwords and recovery words that more than one window shows. */
import { translatable } from './translatable.ts';

export const secretTexts = translatable('secrets', {
  password: {
    again: 'Confirm password',
    differ: 'The passwords don’t match.',
    levels: ['Very weak', 'Weak', 'Not strong enough', 'Good', 'Very strong'],
    weak: 'This password is too easy to guess.',
    advice: 'Four unrelated words make a good password.',
  },
  words: {
    hide: 'Hide the words',
    list: 'Your recovery words, in order',
  },
});
