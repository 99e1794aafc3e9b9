/** The texts of the gallery in Arabic. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** A name in Latin letters keeps its own order among Arabic ones (Unicode Annex 9). */
const isolated = (text: string) => `\u2068${text}\u2069`;

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'المعرض',
  description: 'كيف يمكن أن يبدو زر الدفع، وكيف تضيفه إلى صفحتك.',
  heading: 'زر واحد يناسب صفحتك',
  lead: 'كل أحجام الزر وحالاته ولغاته، مع شيفرة كل منها. مرّر أيًا منها: هي في هذه الصفحة للعرض فقط، ولا ينتقل مال.',
  onThisPage: 'في هذه الصفحة',
  noScript: 'تتطلب الأزرار JavaScript.',

  sections: {
    embed: { title: 'ضعه في صفحتك', lead: 'سكربت واحد، وعنصر لكل زر.' },
    sizes: { title: 'الأحجام', lead: 'صنف واحد، أو خاصيتان مخصصتان.' },
    looks: {
      title: 'الألوان والزوايا والخطوط',
      lead: 'خصائص مخصصة تضعها حيث تشاء: على الزر، أو على قسم، أو على الصفحة كلها.',
    },
    parts: { title: 'الأجزاء', lead: 'عناصر مسمّاة داخل الزر يمكنك تنسيقها.' },
    themes: { title: 'فاتح وداكن', lead: 'صُمّم كل منهما على حدة؛ وليس أحدهما عكس الآخر فحسب.' },
    states: { title: 'الحالات', lead: `حالة العنصر في ${isolated('data-state')}. لا تغيّر أي حالة حجمه.` },
    kinds: { title: 'الأنواع', lead: 'يغيّر النوع الكلمات، لا طريقة العمل.' },
    languages: {
      title: 'اللغات',
      lead: `يستخدم ${isolated(PRODUCT_NAME)} لغة العنصر الذي هو فيه. وتتبعها المبالغ أيضًا. تُحمَّل اللغات غير الإنجليزية عند الحاجة.`,
    },
  },

  upToDate: 'محدَّث دائمًا',
  upToDateText: 'يُخزَّن مؤقتًا لدقيقة. تصل التحديثات إلى صفحتك تلقائيًا.',
  upToDateCode: 'أحدث سكربت',
  pinned: 'مثبَّت على هذه النسخة',
  pinnedText: (list) =>
    html`متاح إلى الأبد، ويرفض المتصفح أي شيء سواه. لا يحمّل شيئًا من تلقاء نفسه: ثبّت كذلك اللغات والأجزاء التي تستخدمها. تجدها كلها في ${list}.`,
  pinnedCode: 'هذه النسخة من السكربت',
  notBuilt: 'لم يُبنَ الزر بعد.',
  element: 'عنصر لكل زر',
  elementText: (render, to) =>
    html`أو من JavaScript: ${render}. ضع Paymail الخاص بك أو معرّف المستخدم أو العنوان في ${to}.`,
  elementCode: 'زر',
  elementLabel: 'قراءة المقال',
  languageCode: 'لغة صفحة',

  propertiesTitle: 'الخصائص المخصصة',
  propertyName: 'الاسم',
  propertyInitial: 'الافتراضي',
  propertyChanges: 'ما تغيّره',
  properties: {
    '--sb-accent': 'التعبئة والمقبض والروابط وحلقة التركيز',
    '--sb-paper': 'المقبض، والنص فوق التعبئة',
    '--sb-track': 'المسار تحت المقبض',
    '--sb-ink': 'النص',
    '--sb-muted': 'التلميحات والرسوم والأزرار المعطّلة',
    '--sb-outline': 'الإطار',
    '--sb-success': 'التعبئة بعد الدفع',
    '--sb-danger': 'الأخطاء',
    '--sb-height': 'ارتفاع المسار',
    '--sb-width': `العرض، ${isolated('220px')} على الأقل`,
    '--sb-radius': 'الزوايا',
    '--sb-font': 'الخط',
    '--sb-font-size': 'حجم الخط',
  },
  initials: {
    '--sb-height': `${isolated('48px')}؛ المدمج ${isolated('36px')}`,
    '--sb-width': `${isolated('300px')}؛ الكامل ${isolated('100%')}`,
    '--sb-radius': 'نصف الارتفاع',
  },

  partNames: 'أسماء الأجزاء',
  parts: {
    button: 'كل شيء ما عدا النموذج',
    track: 'شريط التمرير',
    thumb: 'الجزء الذي تسحبه',
    fill: 'اللون خلف المقبض',
    label: 'النص في الوسط',
    amount: 'المبلغ المطلوب دفعه',
    cost: 'رسوم الشبكة تحت المبلغ',
    'get-wallet': 'الرابط الذي يظهر عند عدم وجود محفظة',
    phone: 'الزر الذي يفتح الرمز للمسح',
    panel: 'اللوحة التي فيها ذلك الرمز',
    form: 'حقول الزر القابل للتعديل',
    field: 'أحدها، مع اسمه',
    pay: 'الزر الذي يدفع بعد الضغط',
    cancel: 'العودة منه',
    preset: 'أحد المبالغ المتاحة للاختيار',
    question: 'السؤال عن مبلغ ملتبس',
  },

  picture: (state) => `الزر: ${state}`,
  states: {
    loading: { title: 'البحث عن محفظة', text: '0.6 ثانية على الأكثر.' },
    ready: { title: 'جاهز', text: `مرّر، أو استخدم مفاتيح الأسهم و${isolated('Enter')} و${isolated('Escape')}.` },
    working: { title: 'قيد التنفيذ', text: 'تسأل المحفظة المستخدم. لم يُدفع شيء بعد.' },
    done: { title: 'مدفوع', text: 'رسالة نجاحك، للحظة.' },
    receipt: { title: 'الإيصال', text: 'يبقى، فلا يدفع أحد مرتين.' },
    error: { title: 'خطأ', text: 'سطر قصير يقول ما العمل. مرّر مجددًا لإعادة المحاولة.' },
    'no-wallet': { title: 'لا محفظة', text: 'طريقة للحصول على واحدة، بالحجم نفسه.' },
    disabled: { title: 'معطّل', text: `مع ${isolated('data-disabled')}. يقول عنوانه السبب.` },
    failed: {
      title: 'إعداد غير صحيح',
      text: `في ${isolated('data-reason')} رمز ثابت؛ وتقول وحدة التحكم ما يجب تغييره.`,
    },
    editable: { title: 'قابل للتعديل', text: 'مع نموذج فوق المسار.' },
    rtl: { title: 'من اليمين إلى اليسار', text: 'يُمرَّر من اليمين إلى اليسار، بلغة الصفحة.' },
    compact: { title: 'مدمج', text: 'الحالات نفسها بارتفاع 36 بكسل.' },
    full: { title: 'عرض كامل', text: 'يبقى المبلغ في النهاية.' },
  },

  examples: {
    default: {
      title: 'الافتراضي',
      text: `\u2066300 × 48\u2069 بكسل، وأضيق حيث المساحة أقل، حتى 220. يحافظ على حجمه في كل حالة.`,
      label: 'قراءة المقال',
    },
    compact: { title: 'مدمج', text: 'ارتفاعه 36 بكسل، للقوائم وأشرطة الأدوات.', label: 'فتح المحتوى' },
    full: { title: 'عرض كامل', text: 'بعرض العنصر الذي يحتويه.', label: 'إتمام الشراء' },
    size: {
      title: 'حجم من اختيارك',
      text: 'عرضه 220 بكسل على الأقل. تحت 280 ينتقل النص فوق المبلغ.',
      label: 'أغنية واحدة',
    },
    accent: {
      title: 'لون من اختيارك',
      text: `لون للصفحات الفاتحة وآخر للداكنة. حافظ على تباين ${isolated('4.5:1')} مع المسار والورق.`,
      label: 'الانضمام إلى النادي',
    },
    square: { title: 'مربّع', text: 'يتبع المقبض والتعبئة الزوايا.', label: 'شراء الخطة' },
    font: { title: 'خط من اختيارك', text: 'أي خط في الصفحة؛ وتبقى الأرقام متحاذية.', label: 'عدد اليوم' },
    quiet: { title: 'هادئ', text: 'بلا خلفية خاصة به، للصفحات الملوّنة بما يكفي.', label: 'ترك إكرامية' },
    part: { title: 'تنسيق جزء', text: `لما لا تغطيه الخصائص، استخدم ${isolated('::part()')}.`, label: 'تذكرة واحدة' },
    light: {
      title: 'في صفحة فاتحة',
      text: `يتبع الزر ${isolated('color-scheme')} لما يحيط به، لا لنظام الزائر.`,
      label: 'قراءة المقال',
    },
    dark: {
      title: 'في صفحة داكنة',
      text: `الصفحة التي تدعم الاثنين تضع «${isolated('color-scheme: light dark')}».`,
      label: 'قراءة المقال',
    },
    buy: { title: 'شراء', text: 'النوع الافتراضي. من دون تسمية يقول ما العمل.' },
    tip: { title: 'إكرامية', text: 'كلمات أخرى قبل الدفع وبعده.' },
    user: {
      title: 'إلى مستخدم',
      text: 'بواسطة Paymail أو معرّف المستخدم (أرقام) لمستخدم في خدمتك. تعرض المحفظة كليهما.',
      label: `إرسالها إلى ${isolated('Ann')}`,
    },
    sign: {
      title: 'للتوقيع',
      text: 'لا يدفع شيئًا: توقّع محفظة الزائر أو تشفّر أو تفك التشفير، وتحصل صفحتك على النتيجة.',
      label: 'توقيع العريضة',
      success: 'تم التوقيع',
    },
    editable: { title: 'قابل للتعديل', text: 'يختار الزائر لمن يدفع وكم؛ المستلم والعملة يملآن النموذج مسبقًا فقط.' },
    message: {
      title: 'رسالة نجاح من اختيارك',
      text: 'مرّره: تظهر رسالتك أولًا، ثم الإيصال.',
      label: 'ادعمنا',
      success: 'أنت رائع',
    },
  },
};
