import { useState } from 'react'
import type { ObjectValue } from '../../../formats/text/value.ts'
import { useSession } from '../../api/session.ts'
import { useDraft } from '../../shell/draft.ts'
import type { Operation } from './api-document.ts'
import { createBodyExample } from './body-examples.ts'
import { toRequestAddress, type Filled } from './request.ts'
import type { Outgoing } from './use-send.ts'

interface Typed {
  filled: Filled
  mediaType: string
  body: string
}

/** A request that is being filled in. */
export interface RequestDraft extends Typed {
  change: (patch: Partial<Typed>) => void
  outgoing: Outgoing
  /** The request never changes anything: it reads, or requests a plan. */
  isHarmless: boolean
}

/** Keeps what is filled in for an operation; it begins with an example of the body. */
export function useRequest(operation: Operation, schemas: ObjectValue): RequestDraft {
  const { teams } = useSession()
  const [usual] = useState((): Typed => {
    const content = operation.body?.content[0]
    const team = teams[0]?.id ?? 'my-team'
    const body =
      content === undefined ? '' : createBodyExample(operation, content, { schemas, team })
    return { filled: {}, mediaType: content?.mediaType ?? '', body }
  })
  const typed = useDraft(`reference:${operation.id}`, usual, 'trial')
  const { filled, mediaType, body } = typed.value
  const content = operation.body === undefined ? undefined : { mediaType, body }
  return {
    ...typed.value,
    change: (patch) => typed.set({ ...typed.value, ...patch }),
    outgoing: {
      method: operation.method,
      address: toRequestAddress(operation, filled),
      mediaType: content?.mediaType,
      body: content?.body,
    },
    isHarmless: operation.method === 'GET' || filled['dryRun'] === 'true',
  }
}
