/** The texts of the gallery in Japanese. */
import { PRODUCT_NAME } from '../../../../protocol/product.ts';
import { html } from '../../html.ts';
import type { GalleryTexts } from './en.ts';

/** See {@link GalleryTexts}. */
export const gallery: GalleryTexts = {
  title: 'ギャラリー',
  description: '支払いボタンのデザインと、ページへの追加方法。',
  heading: 'どんなページにも合うボタン',
  lead: 'ボタンのすべてのサイズ、状態、言語をコード付きで紹介します。どれでもスワイプしてみてください。このページではデモのため、お金は動きません。',
  onThisPage: 'このページの内容',
  noScript: 'ボタンにはJavaScriptが必要です。',

  sections: {
    embed: { title: 'ページに置く', lead: 'スクリプト1つと、ボタンごとに要素1つ。' },
    sizes: { title: 'サイズ', lead: 'クラス1つ、またはカスタムプロパティ2つ。' },
    looks: {
      title: '色、角、フォント',
      lead: 'カスタムプロパティを好きな場所に設定できます。ボタン、セクション、ページ全体。',
    },
    parts: { title: 'パーツ', lead: 'スタイルを付けられる、ボタン内の名前付き要素です。' },
    themes: { title: 'ライトとダーク', lead: 'それぞれ個別にデザインしています。単なる反転ではありません。' },
    states: { title: '状態', lead: '要素の状態はdata-stateにあります。状態によってサイズが変わることはありません。' },
    kinds: { title: '種類', lead: '種類で変わるのは言葉だけで、仕組みは変わりません。' },
    languages: {
      title: '言語',
      lead: `${PRODUCT_NAME}は、置かれた要素の言語を使います。金額の表記も同じです。英語以外の言語は必要なときに読み込まれます。`,
    },
  },

  upToDate: '常に最新',
  upToDateText: '1分間キャッシュされます。ページは自動的に更新されます。',
  upToDateCode: '最新のスクリプト',
  pinned: 'このバージョンに固定',
  pinnedText: (list) =>
    html`いつまでも利用でき、ブラウザはそれ以外を拒否します。自動では何も読み込まないため、使う言語とパーツも固定してください。${list} にすべての一覧があります。`,
  pinnedCode: 'このバージョンのスクリプト',
  notBuilt: 'ボタンはまだビルドされていません。',
  element: 'ボタンごとに要素1つ',
  elementText: (render, to) =>
    html`JavaScriptからも作れます：${render}。${to} には、あなたのPaymail、ユーザーID、またはアドレスを入れてください。`,
  elementCode: 'ボタン',
  elementLabel: '記事を読む',
  languageCode: 'ページの言語',

  propertiesTitle: 'カスタムプロパティ',
  propertyName: '名前',
  propertyInitial: '既定値',
  propertyChanges: '変わるもの',
  properties: {
    '--sb-accent': '塗り、つまみ、リンク、フォーカスの枠',
    '--sb-paper': 'つまみと、塗りの上の文字',
    '--sb-track': 'つまみの下のトラック',
    '--sb-ink': '文字',
    '--sb-muted': '補足、手数料、無効なボタン',
    '--sb-outline': '輪郭',
    '--sb-success': '支払い後の塗り',
    '--sb-danger': 'エラー',
    '--sb-height': 'トラックの高さ',
    '--sb-width': '幅（220px以上）',
    '--sb-radius': '角',
    '--sb-font': 'フォント',
    '--sb-font-size': 'フォントサイズ',
  },
  initials: { '--sb-height': '48px、コンパクトは36px', '--sb-width': '300px、全幅は100%', '--sb-radius': '高さの半分' },

  partNames: 'パーツの名前',
  parts: {
    button: 'フォーム以外のすべて',
    track: 'スライダー',
    thumb: 'ドラッグする部分',
    fill: 'つまみの後ろの色',
    label: '中央の文字',
    amount: '支払う金額',
    cost: '金額の下のネットワーク手数料',
    'get-wallet': 'ウォレットがないときに表示されるリンク',
    phone: '読み取り用コードを開くボタン',
    panel: 'そのコードのパネル',
    form: '編集可能なボタンの入力欄',
    field: '名前付きの入力欄1つ',
    pay: '押した後に支払うボタン',
    cancel: '戻るボタン',
    preset: '選べる金額の一つ',
    question: 'あいまいな金額についての質問',
  },

  picture: (state) => `ボタン：${state}`,
  states: {
    loading: { title: 'ウォレットを検索中', text: '最長0.6秒。' },
    ready: { title: '準備完了', text: 'スワイプするか、矢印キー、Enter、Escapeを使います。' },
    working: { title: '処理中', text: 'ウォレットがユーザーに確認しています。まだ何も支払われていません。' },
    done: { title: '支払い済み', text: '設定したメッセージを少しの間表示します。' },
    receipt: { title: '領収表示', text: '表示されたままなので、二重に支払うことがありません。' },
    error: { title: 'エラー', text: '短い1行で対処方法を示します。もう一度スワイプすると再試行します。' },
    'no-wallet': { title: 'ウォレットなし', text: '同じサイズで、入手方法を示します。' },
    disabled: { title: '無効', text: 'data-disabledを指定した状態。理由はtitleに表示されます。' },
    failed: { title: '設定の誤り', text: 'data-reasonに固定のコードが入り、修正方法はコンソールに表示されます。' },
    editable: { title: '編集可能', text: 'トラックの上にフォームがあります。' },
    rtl: { title: '右から左', text: 'ページの言語に合わせ、右から左へスワイプします。' },
    compact: { title: 'コンパクト', text: '同じ状態を36ピクセルで。' },
    full: { title: '全幅', text: '金額は端に表示されます。' },
  },

  examples: {
    default: {
      title: '既定',
      text: '300 × 48ピクセル。狭い場所では220まで縮みます。どの状態でもサイズは変わりません。',
      label: '記事を読む',
    },
    compact: { title: 'コンパクト', text: '高さ36ピクセル。一覧やツールバーに。', label: 'ロック解除' },
    full: { title: '全幅', text: 'コンテナと同じ幅。', label: '購入手続きへ' },
    size: { title: '自由なサイズ', text: '幅は220ピクセル以上。280未満では、文字が金額の上に移ります。', label: '1曲' },
    accent: {
      title: '自由なアクセントカラー',
      text: '明るいページ用と暗いページ用に1色ずつ。トラックと紙の色に対して4.5:1以上のコントラストを保ってください。',
      label: 'クラブに参加',
    },
    square: { title: '角型', text: 'つまみと塗りも角に合わせます。', label: 'プランを購入' },
    font: {
      title: '自由なフォント',
      text: 'ページのどのフォントでも使えます。数字の桁は揃います。',
      label: '今日の号',
    },
    quiet: { title: '控えめ', text: '背景なし。色の多いページ向け。', label: 'チップを贈る' },
    part: { title: 'パーツのスタイル', text: 'プロパティで足りない場合は ::part() を使います。', label: 'チケット1枚' },
    light: {
      title: '明るいページ',
      text: '訪問者のシステムではなく、周囲のcolor-schemeに従います。',
      label: '記事を読む',
    },
    dark: {
      title: '暗いページ',
      text: '両方に対応するページは「color-scheme: light dark」を設定します。',
      label: '記事を読む',
    },
    buy: { title: '購入', text: '既定の種類。ラベルがないと、何をするかを示します。' },
    tip: { title: 'チップ', text: '前後の言葉が変わります。' },
    user: {
      title: 'ユーザーへ',
      text: 'Paymail、またはサービスのユーザーのユーザーID（数字）で指定します。ウォレットには両方が表示されます。',
      label: 'Annさんに送る',
    },
    sign: {
      title: '署名',
      text: '支払いはありません。ウォレットが署名、暗号化、復号し、結果がページに渡ります。',
      label: '請願に署名',
      success: '署名しました',
    },
    editable: {
      title: '編集可能',
      text: '支払先と金額を訪問者が選びます。受取人と通貨はフォームの初期値になるだけです。',
    },
    message: {
      title: '独自の完了メッセージ',
      text: 'スワイプすると、メッセージに続いて領収表示が出ます。',
      label: '応援する',
      success: 'ありがとうございます',
    },
  },
};
