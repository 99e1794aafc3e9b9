import { useEffect, useState } from 'preact/hooks';
import type { AssetContent, OrdinalView } from '../../../protocol/messages/wallet-messages.ts';
import { call } from '../../ui/window/call.ts';
import { assetTexts as t } from '../../ui/texts/texts.ts';
import { LongText } from '../long-text.tsx';

/** The content of an output; null until it is read, or if it can't be. */
export function useContent(outpoint: string | null): AssetContent | null {
  const [content, setContent] = useState<AssetContent | null>(null);
  useEffect(() => {
    let current = true;
    setContent(null);
    if (outpoint !== null)
      call('assets/content', { outpoint }).then(
        (answer) => current && setContent(answer),
        () => undefined, // shown without it
      );
    return () => void (current = false);
  }, [outpoint]);
  return content;
}

/** The outpoint of an ordinal's content: its own output, or else the origin of its satoshi. */
export const contentPlace = ({ contentType, outpoint, origin }: OrdinalView): string =>
  contentType === '' && origin !== null ? origin : outpoint;

/** A token's picture, or a plain circle. Screen readers skip it, because the name is next to it. */
export function AssetPicture({ outpoint }: { outpoint: string | null }) {
  const picture = useContent(outpoint)?.picture ?? null;
  return (
    <span class="asset-picture" aria-hidden="true">
      {picture !== null && <img src={picture} alt="" />}
    </span>
  );
}

/** An ordinal's content: a picture or plain text, drawn by the wallet itself. Other types are only named. */
export function ShownContent({ outpoint }: { outpoint: string }) {
  const content = useContent(outpoint);
  if (content === null) return null;
  if (content.picture !== null) return <img class="asset-content" src={content.picture} alt={t.content} />;
  if (content.text !== null) return <LongText text={content.text} label={t.content} />;
  return content.contentType === '' ? null : <p class="muted">{t.noPreview}</p>;
}
