/** The texts of the pages of a user's assets in Arabic. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'أصولك',
    description: 'الأصول التي أنشأتها على هذه الخدمة.',
    heading: 'الأصول',
    lead: 'رموز خاصة بك، كالنقاط أو الحصص أو التذاكر. تصفها هنا، وتصدرها محفظتك.',
    create: 'أصل جديد',
    full: (most) => `لديك ${most} أصل، وهو الحد الأقصى. احذف أصلًا لم يصدر لتنشئ غيره.`,
    none: 'لا أصول لديك بعد.',
    noneText: 'الأصل رمز على سلسلة كتل BSV ‏(BSV-21). تختار اسمه وكميته.',
  },
  states: { pending: 'لم يصدر', minting: 'قيد التأكيد', minted: 'صدر' },

  form: {
    titleNew: 'أصل جديد',
    titleEdit: (name) => `تعديل ${name}`,
    heading: (name) => html`تعديل ${name}`,
    description: 'اسم الأصل ووصفه وكميته.',
    all: 'كل الأصول',
    lead: 'يمكنك تغيير الاسم والوصف والصورة لاحقًا. وما عدا ذلك يبقى كما هو.',
    name: 'الاسم',
    nameHint: '5 أحرف على الأقل.',
    about: 'الوصف',
    avatar: 'الصورة',
    avatarHint: 'عنوان صورة يبدأ بـ https://‎. لا تحمّلها هذه الخدمة.',
    supply: 'الكمية',
    supplyHint: 'كل ما سيوجد منه على الإطلاق.',
    decimals: 'المنازل العشرية',
    decimalsHint: 'مع 2 تكون أصغر كمية 0.01.',
    url: 'الموقع',
    urlHint: 'صفحة عن الأصل، تبدأ بـ https://‎.',
    alias: 'Paymail',
    aliasHint: (domain) => `الجزء الذي قبل \u2068@${domain}\u2069. إن تركته فارغًا اخترنا لك واحدًا.`,
    save: 'حفظ التغييرات',
    create: 'إنشاء الأصل',
  },

  one: {
    description: 'أحد أصولك.',
    created: (day) => html`أُنشئ في ${day}`,
    edit: 'تعديل',
    delete: 'حذف',
    details: 'التفاصيل',
    supply: 'الكمية',
    state: 'الحالة',
    picture: 'الصورة',
    site: 'الموقع',
    assetId: 'معرّف الأصل',
    tokenId: 'معرّف الرمز',
    mintTitle: 'إصدار هذا الأصل',
    mintText: 'تنشئ محفظتك الكمية كلها في معاملة واحدة وتحتفظ بها. تدفع رسوم الشبكة. ولا يمكن تغيير الكمية بعد ذلك.',
    mint: 'الإصدار بالمحفظة',
    noScript: 'يحتاج الإصدار إلى JavaScript.',
    mintingText: 'قبلت الشبكة الرمز. يصدر حين يدخل في كتلة.',
  },
  mint: {
    working: 'راجع محفظتك…',
    noWallet: 'لا محفظة في هذا المتصفح، أو أنها متوقفة على هذا الموقع.',
    outdated: 'لا تستطيع محفظتك إصدار الأصول بعد. حدّثها ثم حاول مجددًا.',
    refused: 'لم يصدر شيء.',
    waiting: 'وقّعته محفظتك وستصدره حالما تصل إلى الشبكة.',
    failed: 'لم ينجح ذلك. حاول مجددًا: لا تصدر محفظتك الأصل نفسه مرتين.',
  },
  delete: {
    title: 'أتريد حذف هذا الأصل؟',
    consequences: [
      'يصبح عنوان Paymail الخاص به متاحًا من جديد.',
      'لا يتغير شيء على سلسلة الكتل. إن كانت محفظتك تصدره الآن، فالأفضل أن تدعها تنتهي.',
    ],
    button: 'حذف الأصل',
  },
};
