// The declarations of a .proto text outside its messages: services, enumerations that no message uses, extensions of
// messages of other texts, imports.

import type protobuf from 'protobufjs'
import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import { FeatureResolver, isKnownEdition, isKnownFeature } from './features.ts'
import {
  extensionFields,
  listEnums,
  listMessages,
  listServices,
  localName,
  TypeNames,
} from './names.ts'
import { parseProtobuf } from './parse.ts'
import { findEdition, splitTokens } from './tokens.ts'
import { readEnumTraits, readUnknownOptions } from './traits.ts'

/** A declaration: its kind and name as they appear in sentences, and all that its users depend on. */
export interface Declaration {
  kind: 'package' | 'import' | 'service' | 'method' | 'enum' | 'extension' | 'options'
  label: string
  definition: string
  /** A message uses it, so that the models show it. */
  isModelled: boolean
}

/** Lists the declarations of a .proto text outside its messages by their labels; none when it cannot be read. */
export function readDeclarations(text: string): ReadonlyMap<string, Declaration> {
  const result = parseProtobuf(text)
  const declarations = result.ok ? new DeclarationReader(text, result.parsed).read() : []
  return new Map(declarations.map((declaration) => [declaration.label, declaration]))
}

class DeclarationReader {
  readonly #parsed: protobuf.IParserResult
  readonly #root: protobuf.Root
  readonly #text: string
  readonly #package: string
  readonly #names: TypeNames
  readonly #features: FeatureResolver

  constructor(text: string, parsed: protobuf.IParserResult) {
    this.#text = text
    this.#parsed = parsed
    this.#root = parsed.root
    this.#package = parsed.package ?? ''
    this.#names = new TypeNames(parsed.root)
    this.#features = new FeatureResolver(findEdition(text))
  }

  read(): Declaration[] {
    const { imports = [], weakImports = [] } = this.#parsed
    // The types of Google's own files are known.
    const foreign = [...imports, ...weakImports].filter(
      (path) => !/^google\/(?:protobuf|type)\//.test(path),
    )
    const options = readFileOptions(this.#root, this.#package)
    return [
      ...(this.#package === '' ? [] : [declare('package', 'The package', this.#package)]),
      ...foreign.map((path) => declare('import', `Import "${path}"`, '')),
      ...listServices(this.#root).flatMap((service) => this.#service(service)),
      ...this.#enums(),
      ...extensionFields(this.#root).flatMap((field) => this.#extension(field)),
      ...(options === '' ? [] : [declare('options', 'Options of the file', options)]),
      ...this.#unknownDefaults(),
    ]
  }

  // What an edition or a feature implies for the data must be known.
  #unknownDefaults(): Declaration[] {
    const edition = findEdition(this.#text)
    const tokens = splitTokens(this.#text)
    const features = tokens.flatMap((token, at) => {
      const [, name] = /^features\.(\w+)$/.exec(token) ?? []
      const value = tokens[at + 2] ?? ''
      return name === undefined || isKnownFeature(name, value) ? [] : [`${name} = ${value}`]
    })
    const list = features.toSorted().join(', ')
    return [
      ...(isKnownEdition(edition) ? [] : [declare('options', `Edition "${edition}"`, edition)]),
      ...(list === '' ? [] : [declare('options', 'Unknown features', list)]),
    ]
  }

  #service(service: protobuf.Service): Declaration[] {
    const name = this.#name(service)
    const methods = service.methodsArray.map((method) =>
      declare('method', `Method ${name}.${method.name}`, this.#signature(method)),
    )
    return [declare('service', `Service ${name}`, readUnknownOptions(service) ?? ''), ...methods]
  }

  #signature(method: protobuf.Method): string {
    const { requestType, responseType, requestStream, responseStream } = method
    const parts = [
      [requestStream === true, this.#typeName(requestType, method)],
      [responseStream === true, this.#typeName(responseType, method)],
      [String(method.options?.['idempotency_level'] ?? ''), readUnknownOptions(method) ?? ''],
    ]
    return JSON.stringify(parts)
  }

  #typeName(name: string, { parent }: protobuf.Method): string {
    const type = this.#names.resolve(name, parent)
    return type === undefined ? name.replace(/^\./, '') : this.#name(type)
  }

  #enums(): Declaration[] {
    const used = new Set(
      [
        ...listMessages(this.#root).flatMap(({ fieldsArray }) => fieldsArray),
        ...extensionFields(this.#root),
      ].map((field) => this.#names.getType(field)),
    )
    return listEnums(this.#root).map((type) => {
      const definition = canonicalText(readEnumTraits(type, this.#features.resolve(type)), any)
      return {
        ...declare('enum', `Enum ${this.#name(type)}`, definition),
        isModelled: used.has(type),
      }
    })
  }

  #extension(field: protobuf.Field): Declaration[] {
    const { extend = '', id, rule = '', type, parent } = field
    if (this.#names.resolve(extend, parent) !== undefined) return []
    const definition = canonicalText([extend, id, rule, type, readUnknownOptions(field) ?? ''], any)
    return [declare('extension', `Extension ${this.#name(field)}`, definition)]
  }

  #name(declaration: protobuf.ReflectionObject): string {
    return localName(declaration, this.#package)
  }
}

function declare(kind: Declaration['kind'], label: string, definition: string): Declaration {
  return { kind, label, definition, isModelled: false }
}

// The parser keeps the options of a file at the namespace of its package.
function readFileOptions(root: protobuf.Root, packageName: string): string {
  const namespace = packageName === '' ? root : root.lookup(packageName)
  return namespace === null ? '' : (readUnknownOptions(namespace) ?? '')
}
