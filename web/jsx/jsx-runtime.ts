/**
 * React's JSX runtime, through which every element of the pages is created (`jsxImportSource` in
 * `tsconfig.json` and `vite.config.ts`). Texts pass `toVisibleText` here, in one place, so that no page
 * can forget it. Values of inputs and the source editor are left as they are: they are edited.
 */

import { Fragment, jsx as createOne, jsxs as createMany } from 'react/jsx-runtime'
import { withVisibleTexts } from './visible-props.ts'

export { Fragment }
export type { JSX } from 'react/jsx-runtime'

/** Creates an element with at most one child. */
export const jsx: typeof createOne = (type, props, key) =>
  createOne(type, withVisibleTexts(props), key)

/** Creates an element with a fixed list of children. */
export const jsxs: typeof createMany = (type, props, key) =>
  createMany(type, withVisibleTexts(props), key)
