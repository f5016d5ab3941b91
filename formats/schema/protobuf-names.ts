// Which messages of a .proto text are models: those that no other one is made of.

import protobuf from 'protobufjs'

/** A message as the parser gives it. */
export type Message = protobuf.Type

/** Gives all messages that stand in no other message, in the order of the text. */
export function outerMessages(namespace: protobuf.NamespaceBase): Message[] {
  return namespace.nestedArray.flatMap((nested) => {
    if (nested instanceof protobuf.Type) return [nested]
    return nested instanceof protobuf.Namespace ? outerMessages(nested) : []
  })
}

/** Gives the message or enumeration that a field's type names; undefined when the text does not define it. */
export function definedType(field: protobuf.Field): Message | protobuf.Enum | undefined {
  const found = field.parent?.lookup(field.type, [protobuf.Type, protobuf.Enum])
  return found instanceof protobuf.Type || found instanceof protobuf.Enum ? found : undefined
}

/** Gives the messages that are models: those not used by another one; of messages that only use each other the first. */
export function modelMessages(messages: readonly Message[]): Message[] {
  const uses = new Map(messages.map((message) => [message, usedBy(message)]))
  const used = new Set([...uses.values()].flatMap((others) => [...others]))
  const reached = new Set<Message>()
  const models = new Set<Message>()
  const isFree = (message: Message): boolean => !used.has(message)
  for (const message of [...messages.filter(isFree), ...messages]) {
    if (reached.has(message)) continue
    models.add(message)
    const waiting = [message]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (reached.size === reached.add(next).size) continue
      waiting.push(...(uses.get(next) ?? []))
    }
  }
  return messages.filter((message) => models.has(message))
}

// The outer messages that a message and those inside it have fields of.
function usedBy(message: Message): Set<Message> {
  const used = new Set<Message>()
  const waiting = [message]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const field of next.fieldsArray) {
      const type = definedType(field)
      if (type instanceof protobuf.Type) used.add(outermost(type))
    }
    for (const nested of next.nestedArray) if (nested instanceof protobuf.Type) waiting.push(nested)
  }
  return used
}

function outermost(message: Message): Message {
  let outer = message
  while (outer.parent instanceof protobuf.Type) outer = outer.parent
  return outer
}
