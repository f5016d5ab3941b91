/** The pages of the first look, the search and the documents; `accessibility.test.ts` has the others. */

import { testPages } from './every-page.ts'
import { pageNames } from './mesh.ts'

testPages(pageNames.filter((name) => /^(home|search|data )/.test(name)))
