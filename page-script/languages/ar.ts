/**
 * The texts in Arabic. Inserted values are enclosed in U+2068 and U+2069 (first strong isolate, Unicode UAX 9), so that
 * an amount or a Latin name does not jumble the words around it. Texts begin with an Arabic letter, because the first
 * letter determines the label's direction. The swipe has no side here: the slider runs the other way.
 */
import type { Texts } from '../texts.ts';
import { withEnglish, type Translation } from '../translation.ts';

const AGAIN = 'لم يتم الدفع. مرّر للمحاولة مجددًا';

/** See {@link Translation}. */
export const translation: Translation = {
  swipe: { buy: 'مرّر للدفع', tip: 'مرّر لتقديم إكرامية', run: 'مرّر للتأكيد' },
  name: { buy: 'مرّر للدفع \u2068{amount}\u2069', tip: 'مرّر لتقديم إكرامية \u2068{amount}\u2069', run: 'مرّر للتأكيد' },
  step: { buy: 'ادفع \u2068{amount}\u2069', tip: 'قدّم \u2068{amount}\u2069', run: 'تأكيد' },
  cancel: 'إلغاء',
  nameWithLabel: '\u2068{name}\u2069: \u2068{label}\u2069',
  percent: '\u2068{percent}\u2069 بالمئة',
  working: 'راجع محفظتك…',
  success: { buy: 'أصبح لك!', tip: 'شكرًا!', run: 'تم' },
  paid: 'تم دفع \u2068{amount}\u2069',
  tokens: ['رمز', 'رموز'],
  fee: 'رسوم \u2068{fee}\u2069',
  cost: 'حوالي \u2068{total}\u2069 شاملةً رسوم الشبكة (\u2068{fee}\u2069).',
  toSelf: 'الدفع إلى نفسك',
  getWallet: 'احصل على محفظة',
  noWallet: 'لا توجد محفظة',
  opensNewTab: '\u2068{text}\u2069 (يُفتح في علامة تبويب جديدة)',
  payByPhone: 'الدفع بالهاتف',
  reloadPage: 'أعد تحميل هذه الصفحة',
  loadingTitle: 'جارٍ البحث عن محفظتك…',
  disabledTitle: 'عطّلت الصفحة هذا الزر.',
  failed: 'الدفع غير متاح',
  failedTitle: 'لم تضبط الصفحة هذا الزر بشكل صحيح. لم تُنقل أي أموال.',
  filePage: 'افتح الصفحة عبر http',
  filePageTitle: 'فُتحت هذه الصفحة كملف، ولا تستطيع أي محفظة الوصول إليها. افتحها عبر https أو من http://localhost.',
  unmoved: 'لم تُنقل أي أموال.',
  demo: 'تجربة',
  demoTitle: 'تجربة: لا تُنقل أي أموال.',
  demoPaid: 'تجربة: لم يُدفع شيء',
  form: {
    to: 'الدفع إلى',
    toExample: 'معرّف مستخدم أو عنوان أو Paymail',
    amount: 'المبلغ',
    currency: 'العملة',
    badTo: 'أدخل معرّف مستخدم أو عنوانًا أو Paymail.',
    badAmount: 'أدخل مبلغًا، مثل \u20680.50\u2069.',
    whichAmount: 'أي مبلغ تقصد؟',
    otherAmount: 'مبلغ آخر',
    note: 'ملاحظة للبائع (اختيارية)',
    between: 'أدخل مبلغًا من \u2068{min}\u2069 إلى \u2068{max}\u2069.',
    least: 'أدخل \u2068{min}\u2069 على الأقل.',
    most: 'أدخل \u2068{max}\u2069 على الأكثر.',
    choose: 'اختر مبلغًا أو أدخله.',
    again: 'ادفع مجددًا',
  },
  errors: {
    refused: AGAIN,
    'approval-closed': AGAIN,
    'approval-expired': AGAIN,
    'page-gone': AGAIN,
    busy: 'أكمل الدفعة الجارية أولًا',
    'too-many-requests': 'انتظر لحظة ثم مرّر',
    'wallet-outdated': 'حدّث محفظتك ثم مرّر',
    'wallet-unreadable': 'استعد محفظتك ثم مرّر',
    'disk-full': 'أفرغ مساحة ثم مرّر',
    'wallet-locked': 'افتح قفل محفظتك ثم مرّر',
    'wallet-not-set-up': 'جهّز محفظتك ثم مرّر',
    'insufficient-funds': 'أضف رصيدًا ثم مرّر مجددًا',
    'amount-too-small': 'المبلغ أصغر من أن يُدفع',
    'unsupported-recipient': 'لا يمكن الدفع لهذا المستلم',
    'unknown-recipient': 'لا وجود لهذا المستلم',
    'paymail-unavailable': 'تعذّر الوصول إلى المستلم. مرّر مجددًا',
    'operation-failed': 'لا تستطيع محفظتك فك تشفير هذا',
    'clock-ahead': 'ساعة الحاسوب متقدمة. اضبطها',
    'rate-unavailable': 'لا يوجد سعر صرف. حاول لاحقًا',
    'network-unavailable': 'الشبكة غير متاحة. مرّر للمحاولة مجددًا',
    'payment-pending': 'جارٍ الإرسال. لا تدفع مجددًا',
    'payment-contested': 'لم تُقبل. راجع محفظتك',
    'wallet-disconnected': 'أعد تحميل الصفحة ثم مرّر',
    'insecure-origin': 'الدفع في الصفحات الآمنة فقط',
    other: 'لم يتم ذلك. مرّر للمحاولة مجددًا',
  },
  phone: {
    title: 'الدفع بالهاتف',
    scan: 'امسح هذا الرمز بمحفظة BSV.',
    enterAmount: 'أدخل هناك \u2068{amount}\u2069: لا يحتوي الرمز على مبلغ، لأن سعر الصرف غير معروف.',
    open: 'فتح في محفظة على هذا الجهاز',
    note: 'لا تستطيع هذه الصفحة رؤية دفعة تتم بهذه الطريقة.',
    close: 'إغلاق',
  },
};

/** The whole table, for `serviceButton.provide`. */
export const texts: Texts = withEnglish(translation);
