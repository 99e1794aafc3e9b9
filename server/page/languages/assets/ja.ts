/** The texts of the pages of a user's assets in Japanese. */
import { html } from '../../html.ts';
import type { AssetTexts } from './en.ts';

/** See {@link AssetTexts}. */
export const assets: AssetTexts = {
  list: {
    title: 'あなたのアセット',
    description: 'このサービスで作成したアセットです。',
    heading: 'アセット',
    lead: 'ポイント、持ち分、チケットなど、自分のトークンです。ここで内容を決め、ウォレットで発行します。',
    create: '新しいアセット',
    full: (most) => `アセットが${most}件あり、上限に達しています。新しく作成するには、未発行のものを削除してください。`,
    none: 'まだアセットがありません。',
    noneText: 'アセットはBSVブロックチェーン上のトークン（BSV-21）です。名前と数量は自由に決められます。',
  },
  states: { pending: '未発行', minting: '承認待ち', minted: '発行済み' },

  form: {
    titleNew: '新しいアセット',
    titleEdit: (name) => `${name}を編集`,
    heading: (name) => html`${name}を編集`,
    description: 'アセットの名前、説明、数量です。',
    all: 'すべてのアセット',
    lead: '名前、説明、画像はあとで変更できます。それ以外は変更できません。',
    name: '名前',
    nameHint: '5文字以上。',
    about: '説明',
    avatar: '画像',
    avatarHint: 'https://で始まる画像のアドレス。このサービスは画像を読み込みません。',
    supply: '数量',
    supplyHint: 'これから先も変わらない総量です。',
    decimals: '小数点以下の桁数',
    decimalsHint: '2にすると、最小の量は0.01です。',
    url: 'サイト',
    urlHint: 'アセットについてのページ。https://で始まります。',
    alias: 'Paymail',
    aliasHint: (domain) => `@${domain}の前の部分。空欄の場合は自動で決まります。`,
    save: '変更を保存',
    create: 'アセットを作成',
  },

  one: {
    description: 'あなたのアセットの1つです。',
    created: (day) => html`作成日：${day}`,
    edit: '編集',
    delete: '削除',
    details: '詳細',
    supply: '数量',
    state: '状態',
    picture: '画像',
    site: 'サイト',
    assetId: 'アセットID',
    tokenId: 'トークンID',
    mintTitle: 'このアセットを発行する',
    mintText:
      'ウォレットが1つの取引で全量を作り、保管します。ネットワーク手数料がかかります。発行後に数量は変更できません。',
    mint: 'ウォレットで発行',
    noScript: '発行にはJavaScriptが必要です。',
    mintingText: 'ネットワークがトークンを受け付けました。ブロックに入ると発行が完了します。',
  },
  mint: {
    working: 'ウォレットを確認してください…',
    noWallet: 'このブラウザーにウォレットがないか、このサイトで無効になっています。',
    outdated: 'お使いのウォレットはまだアセットを発行できません。更新してからもう一度お試しください。',
    refused: '何も発行されていません。',
    waiting: 'ウォレットは署名済みです。ネットワークに接続でき次第、発行されます。',
    failed: 'うまくいきませんでした。もう一度お試しください。同じアセットが二重に発行されることはありません。',
  },
  delete: {
    title: 'このアセットを削除しますか？',
    consequences: [
      'Paymailはまた使えるようになります。',
      'ブロックチェーンには何の変化もありません。ウォレットで発行している最中なら、終わるまでお待ちください。',
    ],
    button: 'アセットを削除',
  },
};
