/**
 * Tests attacks by a page on one-swipe payments, one for each defense, and legitimate swipes to prove that the setup
 * works. The other attacks are in swipe.full.test.ts.
 */
import { describe, test } from 'vitest';
import { attack, checkNoticesPayment } from './arena.ts';
import { documents } from './documents.ts';
import { floods } from './floods.ts';
import { hands } from './hands.ts';
import { hangs } from './hangs.ts';
import { movements } from './movements.ts';
import { overlays } from './overlays.ts';
import { looks, privacy } from './privacy.ts';
import { useArena } from './stage.ts';
import { tickets } from './tickets.ts';

const { arena } = useArena();
const attacks = [...overlays, ...movements, ...hands, ...hangs].filter(({ quick }) => quick);

test('an honest swipe pays, and the check after each attack detects that', () => checkNoticesPayment(arena()));

test.each(attacks)('nothing is paid after the attack: $name', async (one) => {
  await attack(arena(), one);
  await arena().expectNothing();
});

describe('documents', () => documents(arena));
describe('privacy', () => privacy(arena));
describe('legibility of the frame', () => looks(arena));
describe('floods', () => floods(arena));
describe('tickets', () => tickets(arena));
