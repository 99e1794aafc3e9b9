/** What the frame says, in the wallet's languages. A table of its own: the frame must be there before the hand is. */
import type { Language } from '../ui/language.ts';

/** See {@link TEXTS}. */
export interface SwipeTexts {
  swipe: string;
  working: string;
  fee: (fee: string) => string;
}

/** By language. */
export const TEXTS: Readonly<Record<Language, SwipeTexts>> = {
  en: { swipe: 'Swipe to pay', working: 'Paying…', fee: (fee) => `fee ${fee}` },
  de: { swipe: 'Zum Zahlen wischen', working: 'Zahlung läuft…', fee: (fee) => `Gebühr ${fee}` },
  es: { swipe: 'Desliza para pagar', working: 'Pagando…', fee: (fee) => `tarifa ${fee}` },
  fr: { swipe: 'Glisser pour payer', working: 'Paiement en cours…', fee: (fee) => `frais ${fee}` },
  pt: { swipe: 'Deslize para pagar', working: 'A pagar…', fee: (fee) => `taxa ${fee}` },
  ja: { swipe: 'スワイプで支払う', working: '支払い中…', fee: (fee) => `手数料 ${fee}` },
  ar: { swipe: 'مرّر للدفع', working: 'جارٍ الدفع…', fee: (fee) => `رسوم ${fee}` },
};
