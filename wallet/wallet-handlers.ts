/** The wallet's methods for the extension's own windows. */
import { handle as handleSchema } from '../protocol/http/api.ts';
import { ServiceError } from '../protocol/errors/service-error.ts';
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
import { chooseOrdinalsIndex } from './assets/store.ts';
import { fetchAvatar, cachedAvatar } from './avatars/avatars.ts';
import { changeAllowance, revokeAllowance } from './allowances/allowance-store.ts';
import { readSwipeLimits, setSwipeLimits, switchSwipesOff } from './allowances/swipe-limits.ts';
import { chooseNetwork } from './choose-network.ts';
import { checkNetwork, fetchNetworkInfo, storeReported, readNetwork, settleNetwork } from './chain/network.ts';
import { rateOrNull } from './chain/rates.ts';
import { deleteUnreadable, readKey } from './store/database.ts';
import { listContacts, removeContact, saveContact } from './contacts/store.ts';
import { searchFurther } from './scan/history/further.ts';
import { setPollAlarm } from './scan/poll-alarm.ts';
import { clientOrigin, returnToClient } from './onboarding-tab.ts';
import { requestFaucetCoins, overview } from './overview.ts';
import { moveOtherAssets, moveOtherCoins, searchOtherWallets } from './payments/sources/sweep/other-wallets.ts';
import { processAll, sendUnsent } from './payments/runner/runner.ts';
import { reviveReports } from './payments/runner/revive.ts';
import { paySend } from './payments/sources/send/send.ts';
import { quoteAsset, sendAsset } from './payments/sources/send/send-asset.ts';
import { abandonOne } from './payments/network/abandon.ts';
import { cancelPayment } from './payments/sources/sweep/cancel.ts';
import { recentRecipients } from './payments/sources/send/recents.ts';
import { quoteSend } from './payments/sources/send/send-quote.ts';
import { revokePermission, revokePermissions } from './permissions/store.ts';
import { receive } from './received/fetch.ts';
import { listen } from './received/listen.ts';
import { checkHandle, listConnections, removeConnection } from './service/client.ts';
import { forgetToken, registerAccount, signInToAccount } from './service/session.ts';
import { publishedTokens } from './assets/published.ts';
import { publishBalance } from './service/publish-balance.ts';
import { checkedChange, defaultSettings, readSettings, writeSettings } from './settings.ts';
import { listSites } from './site-list.ts';
import { PERMANENTLY } from './sites/site.ts';
import { endForUser } from './payments/sources/action/revoke.ts';
import { setBlock } from './sites/store.ts';
import { removeWallet } from './remove-wallet.ts';
import { addPasskey, listPasskeys, removePasskey, unlockWithPasskey } from './vault/passkeys.ts';
import { lockBy } from './vault/session.ts';
import { changePassword, checkPassword, createVault, lock, shownStatus, showWords, unlock } from './vault/vault.ts';
import { freshWords, normalizeWords } from './keys/mnemonic.ts';
import { announceChange } from './events.ts';
import { refresh } from './scan/poll.ts';
import type { OpenPrompt, WalletMethod, WalletParams, WalletResults } from '../protocol/messages/wallet-messages.ts';
import { part, type Wallet } from './platform.ts';

const hoursFromNow = (wallet: Wallet, hours: number) => wallet.now() + hours * 3600_000;

/** Copies a secret's bytes from a message, and wipes them in the message. */
function taken(secret: number[]): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from(secret);
  secret.fill(0);
  return bytes;
}

const done = (work: Promise<unknown>): Promise<null> => work.then(() => null);

/** Runs an account operation. If it returns an account, reports payments that were waiting for one. */
async function withAccount<T>(wallet: Wallet, join: () => Promise<T>): Promise<T> {
  const account = await join();
  announceChange(wallet);
  if (account) {
    await reviveReports(wallet);
    void receive(wallet);
  }
  return account;
}

export const walletHandlers = part((wallet): WalletHandlers => ({
  'vault/status': () => shownStatus(wallet),
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
    await deleteUnreadable(wallet);
    return null;
  },
  async 'vault/create'({ words, password, restored }) {
    await settleNetwork(wallet);
    await createVault(wallet, words, password, restored);
    await setPollAlarm(wallet);
    void refresh(wallet);
    return null;
  },
  async 'vault/unlock'({ password }) {
    await unlock(wallet, password);
    void reviveReports(wallet, 'wallet-locked');
    void receive(wallet);
    return null;
  },
  async 'vault/unlock-with-passkey'({ id, output }) {
    await unlockWithPasskey(wallet, id, taken(output));
    void reviveReports(wallet, 'wallet-locked');
    void receive(wallet);
    return null;
  },
  async 'passkeys/list'() {
    return { passkeys: await listPasskeys(wallet) };
  },
  'passkeys/add': ({ output, ...passkey }) => done(addPasskey(wallet, { ...passkey, output: taken(output) })),
  'passkeys/remove': ({ id }) => done(removePasskey(wallet, id)),
  'vault/check-password': ({ password }) => done(checkPassword(wallet, password)),
  async 'vault/lock'() {
    forgetToken(wallet);
    await lock(wallet);
    forgetPages(wallet);
    return null;
  },
  async 'prompts/list'() {
    const prompts = await awaitingDecision(wallet);
    return {
      prompts: prompts.map(({ window, kind, origin }) => ({ id: window.id, kind: kind as OpenPrompt['kind'], origin })),
    };
  },
  'prompts/show': ({ id }) => done(bringToFront(wallet, id)),
  async 'vault/show-words'({ password }) {
    return { words: await showWords(wallet, password) };
  },
  'vault/change-password': ({ password, newPassword }) => done(changePassword(wallet, password, newPassword)),
  async 'vault/send-unsent'() {
    return { left: await sendUnsent(wallet) };
  },
  'vault/remove': ({ password, leaving }) =>
    done(removeWallet(wallet, password, leaving).finally(() => forgetPages(wallet))),
  async 'onboarding/client'() {
    return { origin: await clientOrigin(wallet) };
  },
  'onboarding/return': () => done(returnToClient(wallet)),
  async 'account/check-handle'({ handle }) {
    if (!handleSchema.safeParse(handle).success) return { available: false, problem: 'invalid-handle' };
    const available = await checkHandle(wallet, handle);
    return { available, problem: available ? null : 'handle-taken' };
  },
  'account/register': ({ handle, name }) =>
    withAccount(wallet, async () => {
      if (!handleSchema.safeParse(handle).success) throw new ServiceError('invalid-handle');
      return registerAccount(wallet, handle, name);
    }),
  'account/sign-in': () => withAccount(wallet, () => signInToAccount(wallet)),
  async 'connections/list'() {
    return { connections: await listConnections(wallet) };
  },
  'connections/remove': ({ id }) => done(removeConnection(wallet, id)),
  'wallet/overview': () => overview(wallet),
  async 'wallet/refresh'({ all = false }) {
    await refresh(wallet, { all });
    void setPollAlarm(wallet);
    void publishBalance(wallet, () => publishedTokens(wallet));
    void processAll(wallet);
    void receive(wallet);
    return null;
  },
  'other-wallets/search': (given) => searchOtherWallets(wallet, given),
  'other-wallets/move': (given) => moveOtherCoins(wallet, given),
  'other-wallets/move-assets': (given) => moveOtherAssets(wallet, given),
  'wallet/search-further': () => searchFurther(wallet),
  async 'wallet/listen'() {
    listen(wallet);
    return null;
  },
  'wallet/faucet': ({ satoshis }) => requestFaucetCoins(wallet, satoshis),
  'activity/list': (asked) => listActivity(wallet, asked),
  'activity/read': ({ id }) => readActivity(wallet, id),
  'activity/cancel': ({ id, feeSatoshis }) => done(cancelPayment(wallet, id, BigInt(feeSatoshis))),
  'activity/end': ({ id }) => done(abandonOne(wallet, id)),
  'activity/note': ({ id, note }) => done(changeNote(wallet, id, note)),
  'activity/export': (asked) => exportActivity(wallet, asked),
  'send/recents': () => recentRecipients(wallet),
  'contacts/list': () => listContacts(wallet),
  'contacts/save': (contact) => done(saveContact(wallet, contact)),
  'contacts/remove': ({ id }) => done(removeContact(wallet, id)),
  'send/quote': (given) => quoteSend(wallet, given),
  'send/pay': (wanted) => paySend(wallet, wanted),
  'assets/list': () => viewAssets(wallet),
  'assets/refresh': () => done(refreshAssets(wallet)),
  'assets/content': ({ outpoint }) => readContent(wallet, outpoint),
  'assets/quote': (given) => quoteAsset(wallet, given),
  'assets/send': (wanted) => sendAsset(wallet, wanted),
  async 'assets/index'({ url }) {
    await chooseOrdinalsIndex(wallet, url);
    announceChange(wallet);
    return null;
  },
  async 'avatars/kept'({ paymail }) {
    return { picture: await cachedAvatar(wallet, paymail) };
  },
  async 'avatars/fetch'({ paymail }) {
    return { picture: await fetchAvatar(wallet, paymail) };
  },
  'approval/read': ({ approvalId }, from) => viewPrompt(wallet, approvalId, from?.windowId),
  async 'approval/decide'({ approvalId, decision, blockHours, ...yes }) {
    if (decision === 'refuse')
      await rejectPrompt(wallet, approvalId, blockHours === undefined ? null : hoursFromNow(wallet, blockHours));
    else await approvePrompt(wallet, approvalId, { decision, ...yes });
    return null;
  },
  async 'sites/list'() {
    return { sites: await listSites(wallet) };
  },
  'sites/change': ({ token, ...terms }) => done(changeAllowance(wallet, token, terms)),
  async 'sites/rate'({ currency }) {
    return { rate: await rateOrNull(wallet, currency) };
  },
  'sites/revoke': ({ token }) => done(revokeAllowance(wallet, token)),
  'sites/forbid': ({ origin, name }) =>
    done(name === null ? revokePermissions(wallet, origin) : revokePermission(wallet, origin, name)),
  'sites/block': ({ origin, hours }) =>
    done(setBlock(wallet, origin, hours === null ? PERMANENTLY : hoursFromNow(wallet, hours))),
  'sites/end': ({ origin }) => done(endForUser(wallet, origin)),
  'sites/unblock': ({ origin }) => done(setBlock(wallet, origin, null)),
  'swipes/read': () => readSwipeLimits(wallet),
  'swipes/change': (limits) => done(setSwipeLimits(wallet, limits)),
  'swipes/switch-off': () => done(switchSwipesOff(wallet)),
  'settings/read': () => readSettings(wallet),
  async 'settings/change'(wanted) {
    const change = checkedChange(wanted);
    const before = change.serviceUrl === undefined ? undefined : await readSettings(wallet);
    if (change.serviceUrl !== undefined) {
      // A service is accepted only if it responds. An existing wallet can't change its network.
      const info = await fetchNetworkInfo(wallet, change.serviceUrl);
      const { network } = await readSettings(wallet);
      if (info.network !== 'devnet' && !change.serviceUrl.startsWith('https:'))
        throw new ServiceError('invalid-service-address');
      if ((await readKey(wallet, 'vault')) && info.network !== network) throw new ServiceError('wrong-network');
      // The URLs that the user entered are for the previous network.
      Object.assign(change, { network: info.network, ...(info.network !== network && { arcUrl: null, wocUrl: null }) });
      await storeReported(wallet, info);
    }
    if (change.serviceUrl !== undefined || change.noAccount) forgetToken(wallet);
    // Runs before the settings are stored, so the wallet can't stay unlocked for longer than chosen if the worker
    // stops.
    if (change.lockAfterMinutes !== undefined) await lockBy(wallet, wallet.now() + change.lockAfterMinutes * 60_000);
    const settings = await writeSettings(wallet, change, before);
    announceChange(wallet);
    // Payment reports no longer wait for the previous account.
    if (change.serviceUrl !== undefined || change.noAccount) void processAll(wallet);
    return settings;
  },
  async 'service/read'() {
    return { builtIn: new URL(defaultSettings(wallet).serviceUrl).origin };
  },
  async 'settings/currencies'() {
    return { currencies: Object.keys((await readKey(wallet, 'rates'))?.service?.prices ?? {}) };
  },
  'app-data/read': () => viewAppData(wallet),
  'app-data/export': () => exportFile(wallet),
  async 'app-data/restore'({ file }) {
    return { entries: await importFile(wallet, file) };
  },
  'app-data/save-again': () => done(saveAgain(wallet)),
  'network/read': () => readNetwork(wallet),
  async 'network/choose'(choice) {
    await chooseNetwork(wallet, await checkNetwork(wallet, choice));
    announceChange(wallet);
    void refresh(wallet);
    void processAll(wallet);
    return null;
  },
}));

export type WalletHandlers = {
  [M in WalletMethod]: (params: WalletParams<M>, from?: WindowSender) => Promise<WalletResults[M]>;
};

/** The window that sent a message. `windowId` is null if the browser reports no ID. */
export interface WindowSender {
  windowId: number | null;
}
