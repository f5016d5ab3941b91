// The declarations of a .proto text: their names, and which messages are models.

import protobuf from 'protobufjs'

/** A message as the parser gives it. */
export type Message = protobuf.Type

/** Lists all messages of a text, nested ones after the message around them. */
export function listMessages(namespace: protobuf.NamespaceBase): Message[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Type) return [nested, ...listMessages(nested)]
    return nested instanceof protobuf.Namespace ? listMessages(nested) : []
  })
}

/** Lists all enumerations of a text. */
export function listEnums(namespace: protobuf.NamespaceBase): protobuf.Enum[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Enum) return [nested]
    return nested instanceof protobuf.Namespace ? listEnums(nested) : []
  })
}

/** Lists all services of a text. */
export function listServices(namespace: protobuf.NamespaceBase): protobuf.Service[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Service) return [nested]
    return nested instanceof protobuf.Namespace ? listServices(nested) : []
  })
}

type Named = Message | protobuf.Enum

/**
 * Resolves the names of types in one .proto text. The lookup of the library remembers every unknown name in every
 * namespace, so its time and memory grow with messages times names.
 */
export class TypeNames {
  readonly #root: protobuf.Root
  // By the last part of their names, the first one in the text.
  readonly #bySimpleName = new Map<string, Named>()

  constructor(root: protobuf.Root) {
    this.#root = root
    const waiting: protobuf.NamespaceBase[] = [root]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const nested of next.nestedArray) {
        if (isNamed(nested) && !this.#bySimpleName.has(nested.name)) {
          this.#bySimpleName.set(nested.name, nested)
        }
        if (nested instanceof protobuf.Namespace) waiting.push(nested)
      }
    }
  }

  /** Returns the message or enumeration that a field's type names; undefined if the text does not define it. */
  getType({ parent, type }: protobuf.Field): Named | undefined {
    return this.resolve(type, parent)
  }

  /** Resolves a name that is used inside a namespace or message; undefined if the text does not define it. */
  resolve(name: string, parent: protobuf.NamespaceBase | null): Named | undefined {
    const [first = '', ...rest] = name.split('.')
    if (first === '') return typeAt(this.#root, rest)
    for (let scope = parent; scope !== null; scope = scope.parent) {
      const found = typeAt(scope, [first, ...rest])
      if (found !== undefined) return found
    }
    // The compiler requires a path to a nested message; documents that are never compiled often lack it.
    return rest.length === 0 ? this.#bySimpleName.get(first) : undefined
  }
}

function isNamed(object: protobuf.ReflectionObject | undefined): object is Named {
  return object instanceof protobuf.Type || object instanceof protobuf.Enum
}

function typeAt(scope: protobuf.NamespaceBase, path: readonly string[]): Named | undefined {
  let at: protobuf.ReflectionObject | undefined = scope
  for (const name of path) {
    const nested: protobuf.NamespaceBase['nested'] =
      at instanceof protobuf.Namespace ? at.nested : undefined
    at = nested !== undefined && Object.hasOwn(nested, name) ? nested[name] : undefined
    if (at === undefined) return undefined
  }
  return isNamed(at) ? at : undefined
}

/** Writes the full name of a declaration without the package: `Order.Line`. */
export function localName(declaration: protobuf.ReflectionObject, packageName: string): string {
  const full = declaration.fullName.replace(/^\./, '')
  return packageName !== '' && full.startsWith(`${packageName}.`)
    ? full.slice(packageName.length + 1)
    : full
}

/** Lists the fields that `extend` adds to messages of this text or of another one, in no particular order. */
export function extensionFields(root: protobuf.Root): protobuf.Field[] {
  const fields: protobuf.Field[] = []
  const waiting: protobuf.NamespaceBase[] = [root]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const nested of next.nestedArray) {
      if (nested instanceof protobuf.Field) fields.push(nested)
      if (nested instanceof protobuf.Namespace) waiting.push(nested)
    }
  }
  return fields
}

/**
 * Returns the messages that are models: those that no other message uses, apart from messages nested in them. Of
 * messages that only use each other the first is a model.
 */
export function modelMessages(
  messages: readonly Message[],
  usedBy: (message: Message) => ReadonlySet<Message>,
): Message[] {
  const uses = new Map(messages.map((message) => [message, usedBy(message)]))
  const used = new Set<Message>()
  for (const [user, others] of uses) {
    for (const message of others) if (!isInside(user, message)) used.add(message)
  }
  const reached = new Set<Message>()
  const models = new Set<Message>()
  const isFree = (message: Message): boolean => !used.has(message)
  for (const message of [...messages.filter(isFree), ...messages]) {
    // Messages that use each other may both be free, when one is nested in the other.
    if (reached.has(message) && !isFree(message)) continue
    models.add(message)
    const waiting = [message]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.size === reached.add(next).size) continue
      waiting.push(...(uses.get(next) ?? []))
    }
  }
  return messages.filter((message) => models.has(message))
}

function isInside(message: Message, outer: Message): boolean {
  let around: protobuf.ReflectionObject | null = message
  while (around !== null && around !== outer) around = around.parent
  return around === outer
}
