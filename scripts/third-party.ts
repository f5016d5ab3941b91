/**
 * The works of other people in the package: `THIRD-PARTY.md` with the licence of each, and the same list in CycloneDX.
 * Both depend only on the bundled packages, so that packing twice gives the same bytes.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Builders, Factories } from '@cyclonedx/cyclonedx-library/Contrib/FromNodePackageJson'
import * as License from '@cyclonedx/cyclonedx-library/Contrib/License'
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import parseExpression from 'spdx-expression-parse'
import satisfies from 'spdx-satisfies'

/** A package whose code is in the bundle. */
export interface Bundled {
  /** Its folder, absolute. */
  folder: string
  name: string
  version: string
  /** An SPDX expression. */
  license: string
  /** Its files with licences, notices and copyrights, by name. */
  texts: { file: string; text: string }[]
}

/** The licences under which the package may be distributed: only notices must be kept. */
const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
]

const root = resolve(import.meta.dirname, '..')
const mit = readFileSync(join(root, 'formats/standards/LICENSE-MIT.txt'), 'utf8').trim()

/**
 * Reads the packages of some folders, relative to the repository's root, ordered by name and version. Errors: Error that
 * lists the packages without a permissive licence, or without its text.
 */
export function readBundled(folders: Iterable<string>): Bundled[] {
  const packages = new Map<string, Bundled>()
  for (const folder of folders) {
    const bundled = readPackage(resolve(root, folder))
    packages.set(`${bundled.name}@${bundled.version}`, bundled)
  }
  const sorted = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
  const problems = sorted.flatMap(findProblem)
  if (problems.length > 0) throw new Error(`cannot distribute the bundle:\n${problems.join('\n')}`)
  return sorted
}

function readPackage(folder: string): Bundled {
  const manifest = readManifest(folder)
  const { name, version, license = '' } = manifest
  const files = readTexts(folder)
  const texts = files.length > 0 ? files : findOtherText(folder, manifest)
  return { folder, name, version, license, texts }
}

/** Finds the text of a package without a file for it: the one in its description, or the usual text of its licence. */
function findOtherText(folder: string, { name, license, author }: Manifest): Bundled['texts'] {
  const file = readdirSync(folder).find((each) => /^readme(\.md)?$/i.test(each))
  const readme = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  const [text] = /^.*Copyright \(c\)[^]*Permission is hereby granted[^]*/im.exec(readme) ?? []
  if (text !== undefined) return [{ file: file ?? '', text }]
  if (license !== 'MIT') return []
  const person = typeof author === 'object' ? author.name : author
  return [
    {
      file: 'package.json',
      text: mit.replace('\n', `\n\nCopyright (c) ${person ?? `the authors of ${name}`}\n`),
    },
  ]
}

interface Manifest {
  name: string
  version: string
  license?: string
  author?: string | { name: string }
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

function readTexts(folder: string): Bundled['texts'] {
  const gatherer = new License.Utils.LicenseEvidenceGatherer()
  const texts = Array.from(gatherer.getFileAttachments(folder), ({ file, text }) => ({
    file,
    text: decode(text),
  }))
  return texts.toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

function decode({ content, encoding }: Models.Attachment): string {
  return encoding === Enums.AttachmentEncoding.Base64
    ? Buffer.from(content.toString(), 'base64').toString('utf8')
    : content.toString()
}

function findProblem({ name, version, license, texts }: Bundled): string[] {
  const reason = !isPermissive(license)
    ? `its licence "${license}" is not permissive`
    : texts.length === 0
      ? 'it contains no text of its licence'
      : undefined
  return reason === undefined ? [] : [`${name}@${version}: ${reason}`]
}

/** Returns whether an SPDX expression allows a permissive licence. */
export function isPermissive(license: string): boolean {
  try {
    return satisfies(license, PERMISSIVE)
  } catch {
    return false
  }
}

/** Writes the notices: a table of all packages, and the texts of each. Equal texts are written once. */
export function writeNotices(packages: readonly Bundled[]): string {
  const byText = Map.groupBy(
    packages.flatMap((bundled) =>
      bundled.texts.map(({ text }) => ({ bundled, text: text.trim() })),
    ),
    ({ text }) => text,
  )
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  const sections = Array.from(byText, ([text, uses]) => {
    const names = [...new Set(uses.map(({ bundled }) => `${bundled.name} ${bundled.version}`))]
    const fence = text.includes('```') ? '~~~~' : '```'
    return `## ${names.join(', ')}\n\n${fence}text\n${text}\n${fence}\n`
  })
  return `# Third-party works

Portbook is licensed under Apache-2.0 (LICENSE). Its package contains parts of these packages, each under its own licence.

| Package | Version | Licence |
|---|---|---|
${rows.join('\n')}

## JSON Schemas of the standards

Those of the Open Data Product Standard and the Open Data Contract Standard are works of Bitol, LF AI & Data Foundation, under
Apache-2.0; annotations were removed. Those of the Data Contract Specification and the Data Product Specification are under MIT:

\`\`\`text
${mit}
\`\`\`

${sections.join('\n')}`
}

/** Writes the list of packages in CycloneDX 1.6 as JSON, without a time and a serial number. */
export function writeBillOfMaterials(packages: readonly Bundled[], version: string): string {
  const references = new Factories.ExternalReferenceFactory()
  const licences = new License.Factories.LicenseFactory(parseExpression)
  const builder = new Builders.ComponentBuilder(references, licences)
  const bom = new Models.Bom()
  const product = new Models.Component(Enums.ComponentType.Application, 'portbook', { version })
  product.bomRef.value = `pkg:npm/portbook@${version}`
  product.purl = product.bomRef.value
  product.licenses.add(licences.makeFromString('Apache-2.0'))
  bom.metadata.component = product
  for (const { folder, name, texts } of packages) {
    const manifest = { ...readManifest(folder) }
    const component = builder.makeComponent(manifest)
    if (component === undefined) throw new Error(`${name} cannot be described`)
    const purl = `pkg:npm/${manifest.name.replace('@', '%40')}@${manifest.version}`
    component.purl = purl
    component.bomRef.value = purl
    component.evidence = new Models.ComponentEvidence({
      licenses: new Models.LicenseRepository(
        texts.map(
          ({ file, text }) =>
            new Models.NamedLicense(`file: ${file}`, {
              text: new Models.Attachment(text, { contentType: 'text/plain' }),
            }),
        ),
      ),
    })
    bom.components.add(component)
    product.dependencies.add(component.bomRef)
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  const text = new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true, space: 2 })
  return `${text}\n`
}
