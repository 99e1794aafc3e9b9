import { useEffect, useState } from 'preact/hooks';
import type { AssetContent, OrdinalView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { LongText } from '../long-text.tsx';

/** Returns an output's content, or null if it hasn't been read yet or can't be read. */
export function useContent(outpoint: string | null): AssetContent | null {
  const [content, setContent] = useState<AssetContent | null>(null);
  useEffect(() => {
    let current = true;
    setContent(null);
    if (outpoint !== null)
      call('assets/content', { outpoint }).then(
        (answer) => current && setContent(answer),
        () => undefined, // The asset is shown without its content.
      );
    return () => void (current = false);
  }, [outpoint]);
  return content;
}

/**
 * Returns the outpoint of an ordinal's content: its own output if that contains the content, otherwise its satoshi's
 * origin.
 */
export const contentPlace = ({ contentType, outpoint, origin }: OrdinalView): string =>
  contentType === '' && origin !== null ? origin : outpoint;

/** Shows a token's picture, or a plain circle. Hidden from screen readers, because the name is next to it. */
export function AssetPicture({ outpoint }: { outpoint: string | null }) {
  const picture = useContent(outpoint)?.picture ?? null;
  return (
    <span class="asset-picture" aria-hidden="true">
      {picture !== null && <img src={picture} alt="" />}
    </span>
  );
}

/** Shows an ordinal's picture or plain text, rendered by the wallet itself. For other content, shows only its type. */
export function ShownContent({ outpoint }: { outpoint: string }) {
  const content = useContent(outpoint);
  if (content === null) return null;
  if (content.picture !== null) return <img class="asset-content" src={content.picture} alt={t.content} />;
  if (content.text !== null) return <LongText text={content.text} label={t.content} />;
  return content.contentType === '' ? null : <p class="muted">{t.noPreview}</p>;
}
