/** The texts of the demo shop in Arabic. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'متجر تجريبي',
  description: 'ثلاثة أشياء صغيرة تدفع ثمنها بتمريرة.',
  heading: 'متجر الحي',
  lead: 'ثلاثة أشياء صغيرة، تدفع ثمن كل منها بتمريرة واحدة.',
  playMoney: 'العملات وهمية، وكل ما عداها حقيقي.',
  noAddress: 'ليس لهذا المتجر عنوان يُدفع إليه، لذا أزراره للتجربة فقط.',
  noScript: 'تتطلب الأزرار JavaScript.',
  items: {
    article: {
      name: 'مقال جيد',
      label: 'قراءة المقال',
      text: 'أربع دقائق عن سبب صعوبة الدفعات الصغيرة في الماضي. بلا اشتراك.',
    },
    coffee: { name: 'قهوة للكاتب', label: 'ترك إكرامية', text: 'هل أعجبك؟ يصل هذا إلى الكاتب مباشرةً.' },
    print: {
      name: 'صورة لجدارك',
      label: 'شراء الصورة',
      text: 'كثبان في السادسة صباحًا، في ملف يُطبع جيدًا حتى 50 سم.',
    },
  },
  receipt: 'إيصال',
  script: {
    heading: 'إيصالك',
    paidFor: 'مقابل',
    paid: 'المدفوع',
    satoshis: 'ساتوشي',
    status: 'الحالة',
    statuses: { PENDING: 'قيد التنفيذ', RECEIVED: 'على الشبكة', COMPLETED: 'مؤكدة', FAILED: 'فشلت' },
    transaction: 'المعاملة',
    payment: 'الدفعة',
    failed: 'لم ينجح ذلك',
    seeButton: 'يبيّن الزر ما عليك فعله الآن.',
  },
};
