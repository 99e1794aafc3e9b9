/**
 * The frame's texts in the wallet's languages. They are separate because the frame must load before the pointer
 * arrives.
 */
import type { Language } from '../ui/language.ts';

/** See {@link TEXTS}. */
export interface SwipeTexts {
  swipe: string;
  working: string;
  fee: (fee: string) => string;
  /** In place of the fee: a window asks. */
  opensWindow: string;
  paid: (amount: string) => string;
  details: string;
}

/** By language. */
export const TEXTS: Readonly<Record<Language, SwipeTexts>> = {
  en: {
    swipe: 'Swipe to pay',
    working: 'Paying…',
    fee: (fee) => `fee ${fee}`,
    opensWindow: 'asks first',
    paid: (amount) => `Paid ${amount}`,
    details: 'Details',
  },
  de: {
    swipe: 'Zum Zahlen wischen',
    working: 'Zahlung läuft…',
    fee: (fee) => `Gebühr ${fee}`,
    opensWindow: 'fragt nach',
    paid: (amount) => `${amount} bezahlt`,
    details: 'Details',
  },
  es: {
    swipe: 'Desliza para pagar',
    working: 'Pagando…',
    fee: (fee) => `comisión ${fee}`,
    opensWindow: 'a confirmar',
    paid: (amount) => `Pagado: ${amount}`,
    details: 'Detalles',
  },
  fr: {
    swipe: 'Glisser pour payer',
    working: 'Paiement en cours…',
    fee: (fee) => `frais ${fee}`,
    opensWindow: 'à confirmer',
    paid: (amount) => `Payé\u00a0: ${amount}`,
    details: 'Détails',
  },
  pt: {
    swipe: 'Deslize para pagar',
    working: 'A pagar…',
    fee: (fee) => `taxa ${fee}`,
    opensWindow: 'a confirmar',
    paid: (amount) => `Pago: ${amount}`,
    details: 'Detalhes',
  },
  ja: {
    swipe: 'スワイプで支払う',
    working: '支払い中…',
    fee: (fee) => `手数料 ${fee}`,
    opensWindow: '確認あり',
    paid: (amount) => `${amount} 支払い済み`,
    details: '詳細',
  },
  ar: {
    swipe: 'مرّر للدفع',
    working: 'جارٍ الدفع…',
    fee: (fee) => `رسوم ${fee}`,
    opensWindow: 'بعد التأكيد',
    paid: (amount) => `تم دفع \u2068${amount}\u2069`,
    details: 'التفاصيل',
  },
};
