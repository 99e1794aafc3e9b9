import type { SignInView } from '../../../protocol/messages/wallet-messages.ts';
import { visible } from '../../ui/amounts/format.ts';
import { WarningIcon } from '../../ui/controls/icons.tsx';
import { hostOf } from '../../ui/sites/origin.ts';
import { signInTexts as t } from '../../ui/texts/texts.ts';
import { useGuard } from '../../ui/window/use-guard.ts';
import { Decision, type Choice } from '../decision.tsx';
import { MoreBelow, useMoreBelow } from '../more-below.tsx';
import { Question } from '../question.tsx';

interface SignInProps {
  view: SignInView;
  deciding: { current: boolean };
  decide: (choice: Choice) => Promise<void>;
}

const purposeOf = ({ register }: SignInView) => (register === null ? 'sign-in' : 'register');

/**
 * Shows the prompt for a sign-in or a new account: the site, the consequences, the user's identity, the signed text,
 * and the decision. A new account's handle and name come from the page.
 */
export function SignIn({ view, deciding, decide }: SignInProps) {
  // Unlocking the wallet in another window only adds details such as the account, so the click guard doesn't restart.
  const guard = useGuard(JSON.stringify({ ...view, locked: false }));
  const more = useMoreBelow();
  const purpose = purposeOf(view);
  return (
    <div class="approval">
      <Question view={view} title={t.title[purpose]} asks={t.asks[purpose]}>
        {view.origin !== view.serviceUrl && (
          <div class="banner banner-warning" data-part="foreign">
            <p class="banner-title foreign-site">
              <WarningIcon size={16} />
              <span>{t.foreign({ service: hostOf(view.serviceUrl) })}</span>
            </p>
            <p>
              {t.foreignKey}
              {view.register && ` ${t.foreignAddresses}`}
            </p>
          </div>
        )}
        <Identity view={view} />
        <p>{t.what[purpose]}</p>
        <details class="script-source" data-part="signed">
          <summary>{t.signed}</summary>
          <p class="small muted">{t.signedNote}</p>
          <pre class="well mono small signed-text" tabIndex={0} aria-label={t.signed} dir="ltr">
            {visible(view.text)}
          </pre>
        </details>
        <div ref={more.end} />
      </Question>
      <Decision
        title={t.title[purpose]}
        locked={view.locked}
        mayBlock={view.mayBlock}
        guard={guard}
        deciding={deciding}
        decide={decide}
        yes={{
          action: 'sign',
          busy: t.busy,
          possible: true,
          label: view.locked ? t.unlockAnd[purpose] : t.yes[purpose],
        }}
      >
        {more.hidden && <MoreBelow onShow={() => window.scrollTo(0, document.documentElement.scrollHeight)} />}
      </Decision>
    </div>
  );
}

/** Shows the user's identity on the site: the new account, the existing account, or only the key. */
function Identity({ view: { register, account, publicKey } }: { view: SignInView }) {
  return (
    <section aria-labelledby="identity">
      <h2 class="part" id="identity">
        {register ? t.account : t.as}
      </h2>
      {register && (
        <div class="well recipient">
          <p class="recipient-name anywhere" data-part="handle">
            <bdi dir="ltr">{visible(register.handle)}</bdi>
          </p>
          {register.name !== '' && (
            <p class="small anywhere">
              <span class="muted">{t.name}:</span> <bdi data-part="name">{visible(register.name)}</bdi>
            </p>
          )}
        </div>
      )}
      {!register && account && (
        <div class="well recipient">
          <p class="recipient-name anywhere" data-part="account">
            <bdi dir="ltr">{account.paymail}</bdi>
          </p>
          {account.name !== '' && (
            <p class="small anywhere">
              <bdi>{visible(account.name)}</bdi>
            </p>
          )}
        </div>
      )}
      {!register && !account && (
        <div class="well recipient">
          <p class="small muted">{t.key}</p>
          <p class="mono small anywhere" data-part="key">
            <bdi dir="ltr">{publicKey}</bdi>
          </p>
        </div>
      )}
    </section>
  );
}
