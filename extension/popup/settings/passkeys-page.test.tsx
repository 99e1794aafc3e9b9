import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ERRORS } from '../../../protocol/errors/service-error.ts';
import type { PasskeyView } from '../../../protocol/messages/wallet-messages.ts';
import { fakeWallet, Refusal } from '../../ui/window/fake-wallet.ts';
import { passkeyTexts as t } from '../../ui/texts/texts.ts';
import { PasskeysPage } from './passkeys-page.tsx';

const runtime = vi.hoisted(() => ({ sendMessage: undefined as unknown as (message: never) => Promise<unknown> }));
vi.mock('webextension-polyfill', () => ({
  default: { runtime: { sendMessage: (message: never) => runtime.sendMessage(message) } },
}));

const LAPTOP: PasskeyView = {
  id: 'bGFwdG9w',
  salt: 'A'.repeat(43),
  name: 'Laptop',
  createdAt: 1_790_000_000_000,
  usedAt: null,
};
const output = new Uint8Array(32).fill(7);

const create = vi.fn();
const get = vi.fn();

class FakeCredential {
  readonly rawId = new Uint8Array([1, 2, 3]).buffer;
  readonly prf: unknown;
  constructor(prf: unknown) {
    this.prf = prf;
  }
  getClientExtensionResults = () => ({ prf: this.prf });
}

async function open(handlers: Parameters<typeof fakeWallet>[0] = {}, passkeys: PasskeyView[] = []) {
  const wallet = fakeWallet({
    'passkeys/list': () => ({ passkeys: [...passkeys] }),
    'passkeys/add': () => {
      passkeys.push(LAPTOP);
      return null;
    },
    'passkeys/remove': ({ id }) => {
      passkeys.splice(0, passkeys.length, ...passkeys.filter((one) => one.id !== id));
      return null;
    },
    'vault/check-password': () => null,
    ...handlers,
  });
  runtime.sendMessage = wallet.sendMessage;
  render(<PasskeysPage onBack={() => {}} />);
  await vi.waitFor(() => expect(wallet.asked('passkeys/list')).toHaveLength(1));
  return wallet;
}

const addWith = (password: string) => {
  fireEvent.input(screen.getByLabelText(t.name), { target: { value: 'Laptop' } });
  fireEvent.input(screen.getByLabelText(t.password), { target: { value: password } });
  fireEvent.click(screen.getByText(t.add));
};

beforeEach(() => {
  vi.clearAllMocks();
  create
    .mockReset()
    .mockImplementation(async () => new FakeCredential({ enabled: true, results: { first: output.slice() } }));
  get.mockReset().mockImplementation(async () => new FakeCredential({ results: { first: output.slice() } }));
  vi.stubGlobal('PublicKeyCredential', FakeCredential);
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { create, get } });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('adds a passkey after the password, with its PRF output, and lists it', async () => {
  const wallet = await open();
  await screen.findByText(t.none);
  addWith('correct horse battery');
  await screen.findByText(t.done);
  await screen.findByText('Laptop');
  expect(wallet.calls.map(({ method }) => method).filter((method) => method !== 'passkeys/list')).toEqual([
    'vault/check-password',
    'passkeys/add',
  ]);
  expect(wallet.asked('passkeys/add')).toMatchObject([
    { id: 'AQID', name: 'Laptop', password: 'correct horse battery' },
  ]);
  expect((screen.getByLabelText(t.password) as HTMLInputElement).value).toBe('');
});

test('makes the browser verify the user, and excludes devices that already have a passkey', async () => {
  await open({}, [LAPTOP]);
  await screen.findByText('Laptop');
  addWith('correct horse battery');
  await screen.findByText(t.done);
  const [{ publicKey }] = create.mock.lastCall as [{ publicKey: PublicKeyCredentialCreationOptions }];
  expect(publicKey.authenticatorSelection).toMatchObject({ userVerification: 'required' });
  expect(publicKey.excludeCredentials?.map(({ id }) => Buffer.from(id as Uint8Array).toString())).toEqual(['laptop']);
  // Without an ID, the relying party is the extension itself, so pages can't use the passkey.
  expect(publicKey.rp.id).toBeUndefined();
});

test('prompts a second time if the authenticator returns its PRF output only when it is used', async () => {
  create.mockImplementation(async () => new FakeCredential({ enabled: true }));
  const wallet = await open();
  addWith('correct horse battery');
  await screen.findByText(t.done);
  const [{ publicKey }] = get.mock.lastCall as [{ publicKey: PublicKeyCredentialRequestOptions }];
  expect(publicKey.userVerification).toBe('required');
  expect(wallet.asked('passkeys/add')).toHaveLength(1);
});

test('a wrong password shows an error next to the field, without a passkey prompt', async () => {
  await open({
    'vault/check-password': () => {
      throw new Refusal('wrong-password');
    },
  });
  addWith('wrong');
  await screen.findByText(ERRORS['wrong-password'].message);
  expect(screen.getByLabelText(t.password).getAttribute('aria-invalid')).toBe('true');
  expect(create).not.toHaveBeenCalled();
});

test('a canceled prompt adds nothing, and can be repeated', async () => {
  create.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
  const wallet = await open();
  addWith('correct horse battery');
  await screen.findByText(t.cancelled);
  expect(wallet.asked('passkeys/add')).toEqual([]);
  fireEvent.click(screen.getByText(t.add));
  await screen.findByText(t.done);
});

test('warns that a passkey may be left in the password manager if the wallet did not accept it', async () => {
  await open({
    'passkeys/add': () => {
      throw new Refusal('busy');
    },
  });
  addWith('correct horse battery');
  await screen.findByText(t.failed);
});

test('removes a passkey only with the second click, and shows where else to delete it', async () => {
  const wallet = await open({}, [LAPTOP]);
  fireEvent.click(await screen.findByText(t.remove({ name: 'Laptop' })));
  expect(wallet.asked('passkeys/remove')).toEqual([]);
  expect(document.activeElement).toBe(screen.getByText(t.removeSure));
  fireEvent.click(screen.getByText(t.keep));
  expect(document.activeElement).toBe(screen.getByText(t.remove({ name: 'Laptop' })));
  fireEvent.click(screen.getByText(t.remove({ name: 'Laptop' })));
  expect(wallet.asked('passkeys/remove')).toEqual([]);
  fireEvent.click(screen.getByText(t.removeSure));
  await screen.findByText(t.removed);
  expect(wallet.asked('passkeys/remove')).toEqual([{ id: LAPTOP.id }]);
  expect(screen.getByRole('status').textContent).toBe(t.removed);
  await screen.findByText(t.none);
});
