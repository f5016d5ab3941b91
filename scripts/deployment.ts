/**
 * `npm run deployment`: writes the files of `deploy/` that follow from README and the schema of the chart; with `--check`
 * verifies that they are current.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DEPLOY, makeDeploymentFiles, readDeploymentSources } from './deployment-files.ts'

const root = resolve(import.meta.dirname, '..')

for (const [path, text] of makeDeploymentFiles(readDeploymentSources(root))) {
  const file = join(root, DEPLOY, path)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${DEPLOY}/${path} is not current: run \`npm run deployment\``)
    process.exitCode = 1
  }
}
