import { allowanceTexts as t } from '../ui/texts/texts.ts';

/** Offers to block a site after two consecutive rejections. Blocking the site also rejects its request. */
export function BlockOffer({ busy, onBlock }: { busy: boolean; onBlock: (hours: 1 | 24) => void }) {
  return (
    <div class="banner banner-warning">
      <p>{t.blockOffer}</p>
      <div class="cluster">
        <button
          type="button"
          class="button button-quiet button-small"
          disabled={busy}
          data-action="block-hour"
          onClick={() => onBlock(1)}
        >
          {t.blockHour}
        </button>
        <button
          type="button"
          class="button button-quiet button-small"
          disabled={busy}
          data-action="block-day"
          onClick={() => onBlock(24)}
        >
          {t.blockDay}
        </button>
      </div>
    </div>
  );
}
