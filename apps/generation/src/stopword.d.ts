/** Lists of stop words by ISO 639-3 codes; see https://www.npmjs.com/package/stopword */
declare module 'stopword' {
  const lists: Readonly<Record<string, readonly string[]>>;
  export default lists;
}
