import { useEffect, useState } from 'preact/hooks';
import { call } from '../window/call.ts';
import { texts } from '../texts/texts.ts';

/** Warns users before they receive money, because the browser might delete the wallet. */
export function VanishNote() {
  const [mayVanish, setMayVanish] = useState(false);
  useEffect(() => {
    call('vault/status', {}).then(
      (status) => setMayVanish(status.mayVanish ?? false),
      () => {},
    );
  }, []);
  if (!mayVanish) return null;
  return (
    <p class="banner banner-warning" data-part="vanish">
      {texts.vanish}
    </p>
  );
}
