import { useEffect, useState } from 'preact/hooks';
import type { Account, Overview } from '../../protocol/messages/wallet-messages.ts';
import { BigAmount } from '../ui/amounts/amount.tsx';
import { call, onChanges } from '../ui/window/call.ts';
import { ErrorNote } from '../ui/controls/error-note.tsx';
import { FaucetButton } from '../ui/amounts/faucet-button.tsx';
import { CheckIcon } from '../ui/controls/icons.tsx';
import { OtherWallets } from '../ui/window/other-wallets.tsx';
import { hostOf } from '../ui/sites/origin.ts';
import { onboardingTexts as t, texts } from '../ui/texts/texts.ts';
import { useAction } from '../ui/window/use-action.ts';
import { VanishNote } from '../ui/controls/vanish-note.tsx';
import { StepHead } from './step-head.tsx';
import { RestoredData } from './what-came-back.tsx';
import { SwipeOffer } from './swipe-offer.tsx';

interface DonePageProps {
  restored: boolean;
  account: Account | null;
  found: boolean;
}

/** Shows the last page: how to find the wallet and get coins, or the progress of a restored wallet's scan. */
export function DonePage({ restored, account, found }: DonePageProps) {
  const overview = useOverview();
  const satoshis = BigInt(overview?.satoshis ?? 0);
  const client = useClientOrigin();
  return (
    <>
      <span class="done-mark">
        <CheckIcon size={32} />
      </span>
      <StepHead
        title={t.done.title}
        lead={found && account ? t.done.found({ handle: account.handle }) : t.done.created}
      />
      {account && <p>{t.done.account({ paymail: account.paymail })}</p>}
      {client !== null && <BackToPage origin={client} />}
      <VanishNote />
      {restored && overview && <Scan overview={overview} />}
      {restored && overview?.scan === null && satoshis === 0n && <OtherWallets rate={overview.rate} />}
      {restored && overview?.scan === null && <RestoredData account={found} />}
      {satoshis > 0n && overview && (
        <section class="card" aria-label={t.done.balance}>
          <p class="small muted">{t.done.balance}</p>
          <BigAmount satoshis={satoshis} rate={overview.rate} />
        </section>
      )}
      <section class="card stack stack-tight">
        <h2 class="subheading">{t.done.pinTitle}</h2>
        <p>{t.done.pin}</p>
      </section>
      {overview?.rate && <SwipeOffer rate={overview.rate} />}
      {overview?.network === 'devnet' && overview.scan === null && (
        <section class="card stack stack-tight">
          <h2 class="subheading">{t.done.coinsTitle}</h2>
          <p>{t.done.coins}</p>
          <FaucetButton primary={satoshis === 0n && client === null} satoshis={satoshis} />
        </section>
      )}
      {client === null && !(restored && overview?.scan) && <p class="muted">{t.done.finish}</p>}
    </>
  );
}

function useClientOrigin(): string | null {
  const [origin, setOrigin] = useState<string | null>(null);
  useEffect(
    () =>
      void call('onboarding/client', {}).then(
        (client) => setOrigin(client.origin),
        () => {},
      ),
    [],
  );
  return origin;
}

function BackToPage({ origin }: { origin: string }) {
  const back = useAction(async () => {
    await call('onboarding/return', {});
    window.close();
  });
  return (
    <div class="stack stack-tight">
      <button type="button" class="button button-primary button-block" onClick={() => back.run()}>
        {t.done.back({ host: hostOf(origin) })}
      </button>
      <p class="small muted centred">{t.done.backNote}</p>
    </div>
  );
}

/** Shows progress in numbers instead of a bar, because the number of addresses to scan is unknown. */
function Scan({ overview }: { overview: Overview }) {
  const { scan, problem } = overview;
  return (
    <section class="card stack stack-tight" aria-label={t.done.scanTitle}>
      <div class="scan-line" role="status">
        {scan && <span class="spinner" />}
        <span>
          {scan === null
            ? problem === null
              ? t.done.scanDone
              : t.done.scanTitle
            : scan.addresses === 0
              ? t.done.scanStart
              : texts.popup.scan({ addresses: scan.addresses, coins: scan.coins })}
        </span>
      </div>
      {scan && <p class="small muted">{t.done.scanGoesOn}</p>}
      <ErrorNote error={problem} kind="warning">
        <p class="small">{texts.popup.problemNext}</p>
      </ErrorNote>
    </section>
  );
}

/** Returns the overview and updates it on every change. */
function useOverview(): Overview | null {
  const [overview, setOverview] = useState<Overview | null>(null);
  useEffect(() => {
    // Errors are ignored, because the background continues without this page.
    const read = () => void call('wallet/overview', {}).then(setOverview, () => {});
    read();
    return onChanges(read);
  }, []);
  return overview;
}
