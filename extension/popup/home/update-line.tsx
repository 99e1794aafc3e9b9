import type { WalletUpdate } from '../../../protocol/messages/wallet-messages.ts';
import { texts } from '../../ui/texts/texts.ts';

/** Shows an unobtrusive note that the service offers a newer wallet, with a link to the service's page. */
export function UpdateLine({ update: { version, url } }: { update: WalletUpdate }) {
  return (
    <p class="muted small popup-note anywhere" data-part="update">
      {texts.popup.update({ version })}{' '}
      <a class="link" href={url} target="_blank" rel="noopener noreferrer">
        {texts.popup.updateFrom({ host: new URL(url).host })}
      </a>
    </p>
  );
}
