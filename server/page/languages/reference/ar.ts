/** The texts around the API reference in Arabic. */
import { plural } from '../../figures.ts';
import { html } from '../../html.ts';
import type { ReferenceTexts } from './en.ts';

/** A name in Latin letters keeps its own order among Arabic ones (Unicode Annex 9). */
const isolated = (text: string) => `\u2068${text}\u2069`;

/** See {@link ReferenceTexts}. */
export const reference: ReferenceTexts = {
  title: `مرجع ${isolated('API')}`,
  description: `كل نقاط الوصول في ${isolated('HTTP API')}: من يستطيع استدعاءها، وما تقبله، وما تعيده.`,
  lead: (link) =>
    html`كل نقاط الوصول في ${isolated('HTTP API')}: من يستطيع استدعاءها، وما تقبله، وما تعيده. متاح أيضًا ${link(`بصيغة ${isolated('OpenAPI 3.1')}`)}.`,
  inEnglish: `أوصاف ${isolated('API')} والأمثلة بالإنجليزية.`,
  contents: 'المحتويات',
  contentsLabel: 'محتويات المرجع',
  search: 'بحث',
  searchLabel: 'البحث في المرجع',
  found: 'النتائج: {count}',
  noneFound: 'لم يُعثر على شيء. جرّب مسارًا أو حقلًا أو رمز خطأ.',
  languages: 'لغة الأمثلة',

  basics: 'الأساسيات',
  authentication: 'المصادقة',
  errors: 'الأخطاء',
  anError: 'خطأ',
  lists: 'القوائم',
  idempotency: 'تكرار الطلب بأمان',
  limits: 'حدود الطلبات',
  parts: {
    'API v2': 'API v2',
    OAuth: 'OAuth',
    Applications: 'التطبيقات',
    'API v1': 'API v1',
    Wallets: 'المحفظات',
    Paymail: 'Paymail',
    Network: 'الشبكة',
    Devnet: 'Devnet',
  },
  webhooks: 'Webhooks',
  errorCodes: 'رموز الأخطاء',
  allErrorCodes: 'كل رموز الأخطاء',
  code: 'الرمز',
  status: 'الحالة',
  message: 'الرسالة',

  scopes: 'الصلاحيات',
  scope: 'الصلاحية',
  grantedBy: 'يمنحها',
  byUser: 'المستخدم',
  bySecret: 'سر عميل التطبيق',
  allows: 'تسمح للتطبيق',

  callers: {
    anybody: 'أي أحد',
    wallet: 'المحفظة، برمزها المميز',
    'any-wallet': 'المحفظة، برمزها المميز، أو أي محفظة من دونه',
    owner: 'المحفظة، برمزها المميز، أو صفحات هذه الخدمة نفسها',
    person: 'متصفح المستخدم',
    gateway: `${isolated('ARC')}، بالرمز المميز الذي أعطته إياه هذه الخدمة`,
  },
  client: (parameter) => html`تطبيق، بواسطة ${parameter} أو بسره (${isolated('HTTP Basic')})`,
  tokenWith: (scopes) => html`رمز مميز بصلاحية ${scopes.map((scope, i) => html`${i > 0 && ' أو '}${scope}`)}`,
  stop: '.',
  takes: (header) => html`يقبل ${header}.`,
  inPath: 'في المسار',
  query: 'معاملات الاستعلام',
  body: 'النص',
  bodyOf: (type) => `النص (${isolated(type)})`,
  orBodyOf: (type) => `أو نص من نوع ${isolated(type)}`,
  response: (status) => `الرد ${status}`,
  noBody: 'بلا نص',
  unstructured: {
    events: `أحداث يرسلها الخادم (${isolated('text/event-stream')})`,
    page: `صفحة (${isolated('text/html')})`,
    text: 'نص عادي',
    redirect: 'إعادة توجيه',
  },
  errorList: (codes) => html`الأخطاء: ${codes.map((code, i) => html`${i > 0 && '، '}${code}`)}.`,
  emptyObject: 'كائن فارغ.',
  fields: plural('ar', { one: 'حقل واحد', two: 'حقلان', few: '# حقول', many: '# حقلًا', other: '# حقل' }),
  optional: 'اختياري',
};
