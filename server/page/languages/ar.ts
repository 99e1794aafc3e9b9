/** The texts of the public pages in Arabic. */
import { PRODUCT_NAME } from '../../../protocol/product.ts';
import { html } from '../html.ts';
import type { SiteTexts } from './en.ts';

/** A name in Latin letters keeps its own order among Arabic ones (Unicode Annex 9). */
const isolated = (text: string) => `\u2068${text}\u2069`;
const NO_ASSETS = 'لا توجد أصول في هذه الخدمة بعد';

/** See {@link SiteTexts}. */
export const texts: SiteTexts = {
  frame: {
    skip: 'انتقل إلى المحتوى',
    pages: 'الصفحات',
    gallery: 'المعرض',
    shop: 'متجر تجريبي',
    signedInAs: 'سجّلت الدخول باسم',
    signIn: 'تسجيل الدخول',
    toDark: 'المظهر الداكن',
    toLight: 'المظهر الفاتح',
    networks: {
      devnet: `${isolated('Devnet')}: مال وهمي على هذا الجهاز`,
      testnet: `${isolated('Testnet')}: عملات بلا قيمة`,
      mainnet: 'Mainnet',
    },
  },

  landing: {
    title: 'ادفع بتمريرة',
    description: 'زر دفع لصفحات الويب، ومحفظة في المتصفح لا تغادرها مفاتيحك.',
    lead: 'زر لأي صفحة ويب، ومحفظة في متصفحك للدفع. عشرة سنتات أو عشرة دولارات، فورًا، بعملات لا يتحكم بها سواك.',
    shop: 'جرّب المتجر',
    gallery: 'شاهد كل الأزرار',
    how: 'كيف يعمل',
    asks: 'الصفحة تطلب',
    asksText: 'يبيّن الزر الغرض والثمن. لا تستطيع الصفحة رؤية محفظتك ولا الدفع نيابةً عنك.',
    decide: 'أنت تقرر',
    decideText: 'تمرّر، فتعرض محفظتك من يطلب، ولمن تدفع، وكم، شاملًا رسوم الشبكة.',
    paid: 'تم الدفع',
    paidText: 'توقّع محفظتك الدفعة وترسلها. لا تغادر مفاتيحك متصفحك أبدًا.',
    embed: 'ضعه في صفحتك',
    embedText: (link) =>
      html`سكربت واحد، وعنصر واحد لكل زر. يعرض ${link('المعرض')} كل الأحجام والحالات واللغات مع شيفرتها.`,
    example: 'مثال على صفحة فيها زر',
    custody: `لا يحتفظ ${isolated(PRODUCT_NAME)} بأموالك ولا بأموال عملائك أبدًا: تنتقل الدفعات مباشرةً من محفظة إلى محفظة.`,
  },

  wallet: {
    title: 'احصل على المحفظة',
    lead: 'بضع نقرات، ثم ترشدك المحفظة. اكتب كلمات الاسترداد: من دونها لا يستطيع أحد استعادة أموالك.',
    otherBrowser: 'متصفح آخر',
    chromium: 'Chrome أو Edge أو Brave أو Opera',
    download: 'تنزيل المحفظة',
    downloadForFirefox: `تنزيل المحفظة لمتصفح ${isolated('Firefox')}`,
    version: (version) => `الإصدار ${isolated(version)}`,
    unzip: 'فكّ ضغط الملف في مجلد ستحتفظ به: يحمّل المتصفح المحفظة منه كلما بدأ.',
    developerMode: (address) => html`افتح ${address} وشغّل «وضع مطوّر البرامج» (<bdi>Developer mode</bdi>).`,
    developerModeOfEdge: (address) =>
      html`افتح ${address} وشغّل «وضع المطوّر» (<bdi>Developer mode</bdi>) في العمود الجانبي.`,
    loadUnpacked: `اختر «تحميل غير مضغوطة» (${isolated('Load unpacked')}).`,
    selectFolder: 'اختر المجلد الذي فككت ضغطه.',
    update:
      'للتحديث، فكّ ضغط ملف أحدث في المجلد نفسه وانقر على رمز إعادة تحميل المحفظة في تلك الصفحة. تبقى محفظتك كما هي.',
    keepZip: `لا تفكّ ضغط الملف: يحمّله ${isolated('Firefox')} كما هو.`,
    loadTemporary: (address) => html`افتح ${address} واختر «تحميل إضافة مؤقتة…» (<bdi>Load Temporary Add-on…</bdi>).`,
    selectFile: 'اختر الملف الذي نزّلته.',
    unsigned: `هذه المحفظة غير موقّعة من ${isolated('Mozilla')}، لذلك يزيلها ${isolated('Firefox')} بكل ما فيها عند إغلاق المتصفح. لا تعيدها إلا كلمات الاسترداد.`,
    addTo: (browser) => `إضافة إلى ${isolated(browser)}`,
    from: (host) => `من ${isolated(host)}`,
    edgeStores: `قد يسألك ${isolated('Edge')} عن السماح بإضافات من متاجر أخرى: اسمح بذلك.`,
    upToDate: 'يحدّثها متصفحك تلقائيًا.',
    withoutStore: 'من دون المتجر',
    onComputers: 'تعمل المحفظة على أجهزة الكمبيوتر',
    onComputersText: (address) =>
      html`هي إضافة لمتصفحات <bdi>Chrome</bdi> و<bdi>Edge</bdi> و<bdi>Brave</bdi> و<bdi>Firefox</bdi> على الكمبيوتر، ولا تدعمها متصفحات الهاتف. افتح ${address} على الكمبيوتر للحصول عليها.`,
    fromPhone: 'الدفع من هذا الهاتف',
    fromPhoneText: `يمكنك أيضًا الدفع بمحفظة ${isolated('BSV')} أخرى على هاتفك. عُد إلى الصفحة التي تريد الدفع فيها والمس رمز ${isolated('QR')} بجانب «احصل على المحفظة». يفتح الدفعة في تلك المحفظة، أو يمسحه هاتف آخر. رمز ${isolated('QR')} متاح فقط للأزرار التي تدفع إلى عنوان واحد.`,
    tryShop: 'جرّبها في المتجر',
    howOnComputer: 'كيف تثبّتها على الكمبيوتر',
    safari: `لا تتوفر المحفظة لمتصفح ${isolated('Safari')}. افتح هذه الصفحة في ${isolated('Chrome')} أو ${isolated('Edge')} أو ${isolated('Brave')} أو ${isolated('Firefox')}.`,
  },

  consent: {
    title: 'السماح بالوصول؟',
    titleMore: 'السماح بالمزيد؟',
    description: 'يريد تطبيق الوصول إلى حسابك.',
    allow: (name) => html`السماح للتطبيق ${name}؟`,
    asksMore: (name) => html`يطلب ${name} المزيد`,
    site: 'الموقع',
    siteNamed: 'الموقع (بحسب التطبيق)',
    sendsYouTo: 'ينقلك إلى',
    account: 'حسابك',
    notYou: 'لست أنت؟',
    will: 'سيستطيع',
    willAlso: 'سيستطيع أيضًا',
    already: 'سمحت له من قبل',
    never:
      'لا يستطيع أبدًا إنفاق أموالك ولا رؤية كلمات الاسترداد أو مفاتيحك. يبقى له هذا الوصول حتى تزيله في حسابك تحت «Connected apps».',
    no: 'رفض',
    yes: 'سماح',
    scopes: {
      'auth.user_identity:read': { may: 'رؤية معرّف المستخدم واسمك', not: 'لا يتيح له ذلك رؤية رصيدك ولا دفعاتك.' },
      'users.profiles:read': {
        may: 'رؤية ملفك الشخصي: الاسم وPaymail والصورة والنبذة والعملة واللغة',
        not: 'لا يستطيع تغييره.',
      },
      'users.balance:read': { may: 'رؤية رصيدك كما نشرته محفظتك آخر مرة', not: 'لا يستطيع إنفاق شيء منه.' },
      'payments:read': {
        may: 'رؤية دفعاتك المرسلة والمستلمة، وتلك التي تمت عبر تطبيقاتك: المبالغ والمرسلين والمستلمين والأوقات والبيانات المرفقة',
        not: 'لا يستطيع إجراء دفعات ولا تغييرها.',
      },
      'users.asset:read': { may: 'رؤية أصولك (غير مستخدم بعد)', not: `${NO_ASSETS}، فلا شيء ليراه.` },
      'users.asset:write': {
        may: 'إنشاء أصول وتغييرها باسمك (غير مستخدم بعد)',
        not: `${NO_ASSETS}، فلا شيء ليغيّره.`,
      },
    },
  },

  refusal: {
    title: 'هذا الرابط لا يعمل',
    description: 'أرسلك تطبيق إلى هنا بطلب غير صالح.',
    reasons: {
      'unknown-application': 'لا يشير الرابط إلى تطبيق نعرفه.',
      'no-redirect-uri': 'ليس لهذا التطبيق عنوان عودة بعد، فلا يستطيع أحد الاتصال به.',
      'other-redirect-uri': 'كان الرابط سينقلك إلى عنوان غير الذي سجّله هذا التطبيق.',
    },
    next: 'لم يُشارَك شيء. عُد إلى التطبيق وحاول مجددًا. إن لم يُفد ذلك فتواصل مع مطوّريه.',
    developers: 'للمطوّرين',
    developersText: (clientId, redirectUri) =>
      html`يجب أن يكون ${clientId} معرّف OAuth للتطبيق، وأن يطابق ${redirectUri} عنوان العودة المسجَّل تمامًا. تجد كليهما في صفحة التطبيق في حسابك.`,
    staleTitle: 'ابدأ من جديد من فضلك',
    staleDescription: 'انتهت صلاحية تلك الصفحة.',
    staleLead: 'انتهت صلاحية تلك الصفحة لأنك سجّلت الخروج أو سجّلت الدخول مجددًا بعدها.',
    staleNext: 'لم يُشارَك شيء. عُد إلى التطبيق وابدأ من جديد.',
  },

  notFound: {
    title: 'الصفحة غير موجودة',
    description: 'هذه الصفحة غير موجودة.',
    lead: 'تحقق من العنوان. ربما نُقلت الصفحة أو حُذفت.',
    home: 'الرئيسية',
  },
};
