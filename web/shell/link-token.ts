import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/**
 * The secret behind the `#` of a link for one use; undefined = the address carries none. It leaves
 * the address at once, so that neither the history nor a screen shared by chance keeps it.
 */
export function useLinkToken(): string | undefined {
  const router = useRouter()
  const hash = useRouterState({ select: (state) => state.location.hash })
  const [token, setToken] = useState<string | undefined>(undefined)
  if (hash !== '' && hash !== token) setToken(hash)
  useEffect(() => {
    if (hash !== '') router.history.replace(router.state.location.pathname)
  }, [hash, router])
  return token
}
