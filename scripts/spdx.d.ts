/** The packages of SPDX have no types of their own. */

declare module 'spdx-expression-parse' {
  const parse: (expression: string) => object
  export default parse
}

declare module 'spdx-satisfies' {
  const satisfies: (expression: string, allowed: readonly string[]) => boolean
  export default satisfies
}
