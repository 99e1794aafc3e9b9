/**
 * The state that the next worker finds if the worker stops while the vault, its password or its passkeys are being
 * changed.
 */
import { afterEach, expect, test } from 'vitest';
import { codeOf } from '../../testing/code-of.ts';
import { endAllWorkerRuns, Profile, type WorkerRun } from '../../testkit/wallet/worker-run.ts';
import { wallet } from '../../testkit/wallet/current.ts';

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const PASSWORD = 'correct horse battery';
const ANOTHER = 'another password';
const output = () => new Uint8Array(32).fill(1);

let workerRun: WorkerRun;
const vault = () => workerRun.modules.vault;
const stored = () => workerRun.modules.database.readKey(wallet, 'passkeys');
const load = () => import('./passkeys.ts');
const add = async () =>
  (await load()).addPasskey(wallet, {
    id: 'credential-1',
    salt: 'A'.repeat(43),
    name: 'Key 1',
    output: output(),
    password: PASSWORD,
  });
const unlockBy = async () => (await load()).unlockWithPasskey(wallet, 'credential-1', output());
const remove = async () => (await load()).removePasskey(wallet, 'credential-1');

afterEach(() => {
  endAllWorkerRuns();
});

async function withPasskey(): Promise<void> {
  await vault().createVault(wallet, WORDS, PASSWORD, false);
  await add();
  await vault().lock(wallet);
}

/** Interrupts a change at each crash point, and collects the states that the next worker finds. */
async function cutOff(
  prepare: () => Promise<void>,
  change: () => Promise<void>,
  find: () => Promise<unknown>,
  passwords = [PASSWORD],
): Promise<Set<unknown>> {
  const found = new Set<unknown>();
  for (let crashPoint = 1, over = false; !over; crashPoint += 1) {
    const profile = new Profile('http://localhost:1');
    workerRun = await profile.start();
    await load();
    await prepare();
    workerRun.dieAt(crashPoint);
    over = (await workerRun.untilDeath(() => change().then(() => true))) ?? false;
    workerRun = await profile.start();
    // Exactly one password must open the wallet.
    const shown = await Promise.all(
      passwords.map((password) =>
        vault()
          .showWords(wallet, password)
          .catch(() => null),
      ),
    );
    expect(shown.filter((words) => words === WORDS)).toHaveLength(1);
    found.add(await find());
  }
  return found;
}

const findOpen = async () => {
  await vault().lock(wallet);
  const code = await codeOf(unlockBy());
  expect(await codeOf(unlockBy())).toBe(code);
  return `${(await stored())?.length ?? 0} ${code}`;
};

test('an interrupted addition has added the passkey or changed nothing', async () => {
  const found = await cutOff(
    () => vault().createVault(wallet, WORDS, PASSWORD, false),
    add,
    async () => {
      const version = (await workerRun.modules.database.readKey(wallet, 'vault'))?.version;
      return `${version} ${await findOpen()}`;
    },
  );
  expect([...found].sort()).toEqual(['1 0 wrong-passkey', '2 1 none']);
});

test('an interrupted removal has removed the passkey or changed nothing', async () => {
  const prepare = async () => {
    await withPasskey();
    await vault().unlock(wallet, PASSWORD);
  };
  expect([...(await cutOff(prepare, remove, findOpen))].sort()).toEqual(['0 wrong-passkey', '1 none']);
});

test('an interrupted unlock leaves the wallet unlocked or locked, and can be repeated', async () => {
  const find = async () => {
    const locked = (await vault().vaultStatus(wallet)).locked;
    if (!locked) await workerRun.modules.session.withSeed(wallet, (seed) => expect(seed.length).toBe(64));
    return `${locked} ${await findOpen()}`;
  };
  const found = await cutOff(withPasskey, unlockBy, find);
  expect([...found].sort()).toEqual(['false 1 none', 'true 1 none']);
});

test('an interrupted password change is complete or changed nothing, and leaves the passkey unchanged', async () => {
  const opens = async () => {
    const codes = [await codeOf(vault().showWords(wallet, ANOTHER)), await codeOf(vault().showWords(wallet, PASSWORD))];
    return codes.map((code) => (code === 'none' ? 'opens' : code)).join(', ');
  };
  const find = async () => `${await opens()}; ${await findOpen()}`;
  const found = await cutOff(withPasskey, () => vault().changePassword(wallet, PASSWORD, ANOTHER), find, [
    PASSWORD,
    ANOTHER,
  ]);
  expect([...found].sort()).toEqual(['opens, wrong-password; 1 none', 'wrong-password, opens; 1 none']);
});

test('an interrupted password change is complete or changed nothing', async () => {
  const prepare = () => vault().createVault(wallet, WORDS, PASSWORD, false);
  const change = () => vault().changePassword(wallet, PASSWORD, ANOTHER);
  const found = await cutOff(prepare, change, () => codeOf(vault().showWords(wallet, ANOTHER)), [PASSWORD, ANOTHER]);
  expect([...found].sort()).toEqual(['none', 'wrong-password']);
});
