/** The same for `npm run dev`. */

import { Fragment, jsxDEV as createWithSource } from 'react/jsx-dev-runtime'
import { withVisibleTexts } from './visible-props.ts'

export { Fragment }
export type { JSX } from 'react/jsx-dev-runtime'

/** Creates an element with its position in the sources. */
export const jsxDEV: typeof createWithSource = (type, props, ...rest) =>
  createWithSource(type, withVisibleTexts(props), ...rest)
