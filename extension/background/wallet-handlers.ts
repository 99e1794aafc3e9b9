/** Methods of the background for the wallet's own windows. */
import { handle as handleSchema } from '../../protocol/api.ts';
import { ServiceError } from '../../protocol/errors.ts';
import { awaitingDecision } from './prompts/badge.ts';
import { approvePrompt, rejectPrompt, viewPrompt } from './prompts/decide.ts';
import { bringToFront } from './prompts/show.ts';
import { readActivity } from './activity/details.ts';
import { forgetPages } from './activity/kept-pages.ts';
import { changeNote } from './activity/note.ts';
import { exportActivity, listActivity } from './activity/list.ts';
import { exportFile, importFile } from './app-backup/file.ts';
import { saveAgain } from './app-backup/sync.ts';
import { viewAppData } from './app-backup/view.ts';
import { readContent } from './assets/content.ts';
import { viewAssets } from './assets/list.ts';
import { refreshAssets } from './assets/refresh.ts';
import { forgetIndexWord } from './assets/store.ts';
import { fetchAvatar, keptAvatar } from './avatars/avatars.ts';
import { changeAllowance, revokeAllowance } from './allowances/store.ts';
import { readSwipeLimits, setSwipeLimits, switchSwipesOff } from './allowances/swipe-limits.ts';
import { resetSync } from './reset-sync.ts';
import { askService, chooseNetwork, keepTold, readNetwork, settleNetwork } from './chain/network.ts';
import { chooseOrdinalsIndex } from './chain/ordinals-index.ts';
import { rateOrNull } from './chain/rates.ts';
import { deleteKey, deleteUnreadable, readKey } from './database.ts';
import { listContacts, removeContact, saveContact } from './contacts/store.ts';
import { searchFurther } from './scan/further.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { clientOrigin, returnToClient } from './onboarding-tab.ts';
import { askFaucet, overview } from './overview.ts';
import { moveOtherAssets, moveOtherCoins, searchOtherWallets } from './payment/other-wallets.ts';
import { processAll } from './payment/process.ts';
import { reviveReports } from './payment/revive.ts';
import { sendUnsent } from './payment/unsent.ts';
import { paySend } from './payment/send.ts';
import { quoteAsset, sendAsset } from './payment/send-asset.ts';
import { abandonOne } from './payment/abandon.ts';
import { cancelPayment } from './payment/cancel.ts';
import { recentRecipients } from './payment/recents.ts';
import { quoteSend } from './payment/send-quote.ts';
import { revokePermission, revokePermissions } from './permissions/store.ts';
import { receive } from './received/fetch.ts';
import { listen } from './received/listen.ts';
import {
  checkHandle,
  forgetToken,
  listConnections,
  registerAccount,
  removeConnection,
  signInToAccount,
} from './service/client.ts';
import { publishedTokens } from './assets/published.ts';
import { publishBalance } from './service/publish-balance.ts';
import { checkedChange, DEFAULT_SETTINGS, readSettings, writeSettings } from './settings.ts';
import { listSites } from './site-list.ts';
import { FOR_GOOD } from './sites/site.ts';
import { endForUser } from './payment/revoke.ts';
import { setBlock } from './sites/store.ts';
import { removeWallet } from './remove-wallet.ts';
import { addPasskey, listPasskeys, removePasskey, unlockWithPasskey } from './vault/passkeys.ts';
import { lockBy } from './vault/session.ts';
import { changePassword, checkPassword, createVault, lock, shownStatus, showWords, unlock } from './vault/vault.ts';
import { freshWords, normalizeWords } from './vault/words.ts';
import { announceChange } from './events.ts';
import { refresh } from './scan/poll.ts';
import type { OpenPrompt, WalletMethod, WalletParams, WalletResults } from '../../protocol/wallet-messages.ts';

const hoursFromNow = (hours: number) => Date.now() + hours * 3600_000;

/** The bytes of a secret in a message, which keeps none of them. */
function taken(secret: number[]): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(secret);
  secret.fill(0);
  return bytes;
}

/** Runs an account step. Payments that waited for an account are reported from then on. */
async function withAccount<T>(join: () => Promise<T>): Promise<T> {
  const account = await join();
  announceChange();
  if (account) {
    await reviveReports();
    void receive();
  }
  return account;
}

/** One handler for every method of the wallet's windows. */
export const walletHandlers: WalletHandlers = {
  'vault/status': () => shownStatus(),
  async 'vault/generate-words'() {
    return { words: freshWords() };
  },
  async 'vault/check-words'({ words }) {
    try {
      normalizeWords(words);
      return { valid: true };
    } catch {
      return { valid: false };
    }
  },
  async 'vault/replace-unreadable'({ words }) {
    normalizeWords(words);
    await deleteUnreadable();
    return null;
  },
  async 'vault/create'({ words, password, restored }) {
    await settleNetwork();
    await createVault(words, password, restored);
    await setPollAlarm();
    void refresh();
    return null;
  },
  async 'vault/unlock'({ password }) {
    await unlock(password);
    void reviveReports('wallet-locked');
    void receive();
    return null;
  },
  async 'vault/unlock-with-passkey'({ id, output }) {
    await unlockWithPasskey(id, taken(output));
    void reviveReports('wallet-locked');
    void receive();
    return null;
  },
  async 'passkeys/list'() {
    return { passkeys: await listPasskeys() };
  },
  async 'passkeys/add'({ output, ...passkey }) {
    await addPasskey({ ...passkey, output: taken(output) });
    return null;
  },
  async 'passkeys/remove'({ id }) {
    await removePasskey(id);
    return null;
  },
  async 'vault/check-password'({ password }) {
    await checkPassword(password);
    return null;
  },
  async 'vault/lock'() {
    forgetToken();
    await lock();
    forgetPages();
    return null;
  },
  async 'prompts/list'() {
    const prompts = await awaitingDecision();
    return {
      prompts: prompts.map(({ window, kind, origin }) => ({ id: window.id, kind: kind as OpenPrompt['kind'], origin })),
    };
  },
  async 'prompts/show'({ id }) {
    await bringToFront(id);
    return null;
  },
  async 'vault/show-words'({ password }) {
    return { words: await showWords(password) };
  },
  async 'vault/change-password'({ password, newPassword }) {
    await changePassword(password, newPassword);
    return null;
  },
  async 'vault/send-unsent'() {
    return { left: await sendUnsent() };
  },
  async 'vault/remove'({ password, leaving }) {
    try {
      await removeWallet(password, leaving);
    } finally {
      forgetPages();
    }
    return null;
  },
  async 'onboarding/client'() {
    return { origin: await clientOrigin() };
  },
  async 'onboarding/return'() {
    await returnToClient();
    return null;
  },
  async 'account/check-handle'({ handle }) {
    if (!handleSchema.safeParse(handle).success) return { available: false, problem: 'invalid-handle' };
    const available = await checkHandle(handle);
    return { available, problem: available ? null : 'handle-taken' };
  },
  'account/register': ({ handle, name }) =>
    withAccount(async () => {
      if (!handleSchema.safeParse(handle).success) throw new ServiceError('invalid-handle');
      return registerAccount(handle, name);
    }),
  'account/sign-in': () => withAccount(signInToAccount),
  async 'connections/list'() {
    return { connections: await listConnections() };
  },
  async 'connections/remove'({ id }) {
    await removeConnection(id);
    return null;
  },
  'wallet/overview': () => overview(),
  async 'wallet/refresh'({ all = false }) {
    await refresh({ all });
    void setPollAlarm();
    void publishBalance(publishedTokens);
    void processAll();
    void receive();
    return null;
  },
  'other-wallets/search': searchOtherWallets,
  'other-wallets/move': moveOtherCoins,
  'other-wallets/move-assets': moveOtherAssets,
  'wallet/search-further': () => searchFurther(),
  async 'wallet/listen'() {
    listen();
    return null;
  },
  'wallet/faucet': ({ satoshis }) => askFaucet(satoshis),
  'activity/list': (asked) => listActivity(asked),
  'activity/read': ({ id }) => readActivity(id),
  async 'activity/cancel'({ id, feeSatoshis }) {
    await cancelPayment(id, BigInt(feeSatoshis));
    return null;
  },
  async 'activity/end'({ id }) {
    await abandonOne(id);
    return null;
  },
  async 'activity/note'({ id, note }) {
    await changeNote(id, note);
    return null;
  },
  'activity/export': (asked) => exportActivity(asked),
  'send/recents': () => recentRecipients(),
  'contacts/list': () => listContacts(),
  async 'contacts/save'(contact) {
    await saveContact(contact);
    return null;
  },
  async 'contacts/remove'({ id }) {
    await removeContact(id);
    return null;
  },
  'send/quote': quoteSend,
  'send/pay': paySend,
  'assets/list': () => viewAssets(),
  async 'assets/refresh'() {
    await refreshAssets();
    return null;
  },
  'assets/content': ({ outpoint }) => readContent(outpoint),
  'assets/quote': quoteAsset,
  'assets/send': sendAsset,
  async 'assets/index'({ url }) {
    await chooseOrdinalsIndex(url);
    await forgetIndexWord();
    announceChange();
    return null;
  },
  async 'avatars/kept'({ paymail }) {
    return { picture: await keptAvatar(paymail) };
  },
  async 'avatars/fetch'({ paymail }) {
    return { picture: await fetchAvatar(paymail) };
  },
  'approval/read': ({ approvalId }, from) => viewPrompt(approvalId, from?.windowId),
  async 'approval/decide'({ approvalId, decision, blockHours, ...yes }) {
    if (decision === 'refuse')
      await rejectPrompt(approvalId, blockHours === undefined ? null : hoursFromNow(blockHours));
    else await approvePrompt(approvalId, { decision, ...yes });
    return null;
  },
  async 'sites/list'() {
    return { sites: await listSites() };
  },
  async 'sites/change'({ token, ...terms }) {
    await changeAllowance(token, terms);
    return null;
  },
  async 'sites/rate'({ currency }) {
    return { rate: await rateOrNull(currency) };
  },
  async 'sites/revoke'({ token }) {
    await revokeAllowance(token);
    return null;
  },
  async 'sites/forbid'({ origin, name }) {
    await (name === null ? revokePermissions(origin) : revokePermission(origin, name));
    return null;
  },
  async 'sites/block'({ origin, hours }) {
    await setBlock(origin, hours === null ? FOR_GOOD : hoursFromNow(hours));
    return null;
  },
  async 'sites/end'({ origin }) {
    await endForUser(origin);
    return null;
  },
  async 'sites/unblock'({ origin }) {
    await setBlock(origin, null);
    return null;
  },
  'swipes/read': () => readSwipeLimits(),
  async 'swipes/change'(limits) {
    await setSwipeLimits(limits);
    return null;
  },
  async 'swipes/switch-off'() {
    await switchSwipesOff();
    return null;
  },
  'settings/read': () => readSettings(),
  async 'settings/change'(wanted) {
    const change = checkedChange(wanted);
    if (change.serviceUrl !== undefined) {
      // The address is accepted only from a service that responds, and a wallet with coins stays on its network.
      const info = await askService(change.serviceUrl);
      const { network } = await readSettings();
      if (info.network !== 'devnet' && !change.serviceUrl.startsWith('https:'))
        throw new ServiceError('invalid-service-address');
      if ((await readKey('vault')) && info.network !== network) throw new ServiceError('wrong-network');
      // Addresses that the user entered belong to the previous network.
      Object.assign(change, { network: info.network, ...(info.network !== network && { arcUrl: null, wocUrl: null }) });
      await keepTold(info);
    }
    if (change.serviceUrl !== undefined || change.noAccount) forgetToken();
    // First, so that a worker that is stopped in between doesn't leave the wallet unlocked for longer than chosen.
    if (change.lockAfterMinutes !== undefined) await lockBy(Date.now() + change.lockAfterMinutes * 60_000);
    const settings = await writeSettings(change);
    announceChange();
    if (change.serviceUrl !== undefined || change.noAccount) void processAll(); // nothing waits for that account now
    return settings;
  },
  async 'service/read'() {
    return { builtIn: new URL(DEFAULT_SETTINGS.serviceUrl).origin };
  },
  async 'settings/currencies'() {
    return { currencies: Object.keys((await readKey('rates'))?.service?.prices ?? {}) };
  },
  'app-data/read': () => viewAppData(),
  'app-data/export': () => exportFile(),
  async 'app-data/restore'({ file }) {
    return { entries: await importFile(file) };
  },
  async 'app-data/save-again'() {
    await saveAgain();
    return null;
  },
  'network/read': () => readNetwork(),
  async 'network/choose'(choice) {
    await chooseNetwork(choice);
    await deleteKey('rates'); // of another index
    await resetSync();
    announceChange();
    void refresh();
    void processAll();
    return null;
  },
};

export type WalletHandlers = {
  [M in WalletMethod]: (params: WalletParams<M>, from?: WindowSender) => Promise<WalletResults[M]>;
};

/** The wallet's own window that sent a message: its number, if it has one. */
export interface WindowSender {
  windowId: number | null;
}
