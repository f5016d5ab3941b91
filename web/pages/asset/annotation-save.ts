import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, type Schemas } from '../../api/client.ts'
import { sendText } from '../../api/document.ts'
import { Problem } from '../../api/problem.ts'
import { useToast } from '../../parts/toast.tsx'
import { toAnnotationBody, isOvertaken, type AnnotationDraft } from './annotation-draft.ts'

/**
 * Saves what people add to an asset. The ETag of an asset changes with every run, but only the edits of
 * other people must not be lost: a draft is saved over a newer version as long as the annotation is the
 * one that it started from.
 */
export function useAnnotationSave(page: Schemas['AssetPage'], onSaved: () => void) {
  const queries = useQueryClient()
  const showToast = useToast()
  const { id } = page
  const put = async (draft: AnnotationDraft, ifMatch: string): Promise<void> => {
    const text = JSON.stringify(toAnnotationBody(draft))
    const change = { text, mediaType: 'application/json', ifMatch } as const
    await sendText('PUT', `/ui/assets/${encodeURIComponent(id)}/annotation`, change)
  }
  return useMutation({
    async mutationFn(draft: AnnotationDraft) {
      try {
        await put(draft, page.etag)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 412) throw error
        const { data } = await client.GET('/ui/assets/{id}', { params: { path: { id } } })
        if (data === undefined || isOvertaken(draft, data.annotation)) throw error
        await put(draft, data.etag)
      }
    },
    onSuccess() {
      showToast('Asset saved')
      onSaved()
    },
    // Also after an error, to show the changes of the other person.
    onSettled: async () => {
      await queries.invalidateQueries({ predicate: ({ queryKey }) => isAboutAssets(queryKey) })
    },
  })
}

function isAboutAssets(queryKey: readonly unknown[]): boolean {
  const [first, second] = queryKey
  const path = first === 'get' ? second : first
  return typeof path === 'string' && /^(?:asset-|\/ui\/assets|\/api\/assets)/.test(path)
}
