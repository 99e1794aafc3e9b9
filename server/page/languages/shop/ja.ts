/** The texts of the demo shop in Japanese. */
import type { ShopTexts } from './en.ts';

/** See {@link ShopTexts}. */
export const shop: ShopTexts = {
  title: 'デモショップ',
  description: 'スワイプで支払える、ちょっとした三つの品。',
  heading: '街角の店',
  lead: 'ちょっとした三つの品を、それぞれ一度のスワイプで支払えます。',
  playMoney: 'コインは架空のお金ですが、それ以外はすべて本物です。',
  noAddress: 'このショップには支払先のアドレスがないため、ボタンはお試し用です。',
  noScript: 'ボタンにはJavaScriptが必要です。',
  items: {
    article: {
      name: '良い記事を1本',
      label: '記事を読む',
      text: '少額の支払いがなぜ難しかったのか、4分で読めます。定期購読は不要です。',
    },
    coffee: { name: '著者にコーヒーを1杯', label: 'チップを贈る', text: '楽しめましたか？ そのまま著者に届きます。' },
    print: {
      name: '壁に飾る写真',
      label: '写真を購入',
      text: '朝6時の砂丘。50 cmまできれいに印刷できるファイルです。',
    },
  },
  receipt: '領収書',
  script: {
    heading: '領収書',
    paidFor: '品目',
    paid: '支払額',
    satoshis: 'サトシ',
    status: '状態',
    statuses: { PENDING: '処理中', RECEIVED: 'ネットワーク上', COMPLETED: '確認済み', FAILED: '失敗' },
    transaction: '取引',
    payment: '支払い',
    failed: 'うまくいきませんでした',
    seeButton: '次にすることはボタンに表示されています。',
  },
};
