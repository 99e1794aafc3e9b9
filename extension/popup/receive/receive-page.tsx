import { useId, useState } from 'preact/hooks';
import type { Account, Overview } from '../../../protocol/messages/wallet-messages.ts';
import { Address } from '../../ui/people/address.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { FaucetButton } from '../../ui/amounts/faucet-button.tsx';
import { Qr } from '../../ui/controls/qr.tsx';
import { texts } from '../../ui/texts/texts.ts';
import { VanishNote } from '../../ui/controls/vanish-note.tsx';
import { PageHead } from '../page-head.tsx';
import { writePaymentLink } from '../send/payment-link.ts';
import { RequestedAmount, type Requested } from './requested-amount.tsx';
import './receive-page.css';

const WAYS = ['paymail', 'address'] as const;
type Way = (typeof WAYS)[number];

/**
 * Shows the user's paymail or address with its QR code. Only one code is shown so that a camera scans the right one.
 */
export function ReceivePage({
  overview,
  onBack,
  onAccount,
}: {
  overview: Overview;
  onBack: () => void;
  onAccount: () => void;
}) {
  const { receiveAddress, network, account, rate } = overview;
  const [amount, setAmount] = useState<Requested | null>(null);
  const [chosen, setChosen] = useState<Way>('paymail');
  const way = account === null ? 'address' : chosen;
  return (
    <section class="popup-page receive arrive">
      <PageHead title={texts.popup.receiveTitle} onBack={onBack} />
      <VanishNote />
      {account !== null && <Ways way={way} onWay={setChosen} />}
      {amount === null && account !== null && way === 'paymail' && <ByPaymail account={account} />}
      {amount === null && way === 'address' && (
        <ByAddress
          address={receiveAddress}
          note={account === null ? texts.popup.receiveText : texts.popup.addressUse}
        />
      )}
      {amount !== null && (
        <ByLink
          link={writePaymentLink({
            to: account && way === 'paymail' ? account.paymail : receiveAddress,
            amount: amount.bsv,
          })}
          words={amount.words}
        />
      )}
      <RequestedAmount rate={rate} onAmount={setAmount} />
      {account === null && (
        <div class="well receive-account">
          <p class="small">{texts.popup.accountText}</p>
          <button type="button" class="button button-quiet button-small" onClick={onAccount}>
            {texts.handle.register}
          </button>
        </div>
      )}
      {network === 'devnet' && <FaucetButton satoshis={BigInt(overview.satoshis)} />}
    </section>
  );
}

function Ways({ way, onWay }: { way: Way; onWay: (way: Way) => void }) {
  const name = useId();
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{texts.popup.receiveBy}</legend>
      {WAYS.map((one) => (
        <label key={one} class="segment">
          <input type="radio" name={name} value={one} checked={way === one} onChange={() => onWay(one)} />
          <span>{one === 'paymail' ? texts.popup.paymail : texts.kinds.ADDRESS}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ByPaymail({ account: { paymail } }: { account: Account }) {
  return (
    <>
      <Qr text={paymail} label={`${texts.popup.yourPaymail}: ${paymail}`} />
      <p class="anywhere centred receive-paymail" data-part="paymail">
        <bdi dir="ltr">{paymail}</bdi>
      </p>
      <CopyButton primary text={paymail} label={texts.popup.copyPaymail} />
      <p class="small muted centred" data-part="use">
        {texts.popup.paymailUse}
      </p>
    </>
  );
}

function ByAddress({ address, note }: { address: string; note: string }) {
  return (
    <>
      <Qr text={address} label={`${texts.popup.addressLabel}: ${address}`} />
      <p class="anywhere centred" data-part="address">
        <Address text={address} />
      </p>
      <CopyButton primary text={address} label={texts.popup.copyAddress} />
      <p class="small muted centred" data-part="use">
        {note}
      </p>
    </>
  );
}

function ByLink({ link, words }: { link: string; words: string }) {
  return (
    <>
      <Qr text={link} label={texts.popup.requestLabel({ words })} />
      <p class="centred" data-part="requested">
        <span class="amount">{words}</span>
      </p>
      <CopyButton primary text={link} label={texts.popup.copyRequest} />
      <p class="small muted centred" data-part="use">
        {texts.popup.requestUse}
      </p>
    </>
  );
}
