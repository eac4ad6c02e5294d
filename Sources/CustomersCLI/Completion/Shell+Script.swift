extension Shell {
  /// The script that makes the shell ask the program for completions.
  ///
  /// The program's output is only text to the shell: nothing of it is run or expanded.
  var script: String {
    switch self {
    case .bash:
      """
      # Completion of customers for bash 4.4 or newer.
      _customers() {
        mapfile -t COMPREPLY < <(
          command customers __complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
        if [[ ${#COMPREPLY[@]} -eq 1 && -z ${COMPREPLY[0]} ]]; then
          COMPREPLY=()
          compopt -o default
        fi
      }
      complete -o nosort -F _customers customers

      """
    case .zsh:
      """
      #compdef customers
      # Completion of customers for zsh.
      _customers() {
        local answer
        local -a words_before found
        words_before=("${(@Q)words[2,CURRENT-1]}")
        answer=$(command customers __complete zsh -- "${words_before[@]}" "${(Q)PREFIX}" 2>/dev/null; print -n x)
        case $answer in
          x) return 1 ;;
          $'\\nx')
            compset -P 1 '--*='
            _files ;;
          *)
            found=("${(@f)${answer%$'\\nx'}}")
            _describe -V customers found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' ;;
        esac
      }
      if [[ ${funcstack[1]} == _customers ]]; then
        _customers "$@"
      else
        compdef _customers customers
      fi

      """
    case .fish:
      """
      # Completion of customers for fish 3.4 or newer.
      function __customers_answer
          set -l token (commandline -ct)
          set -l typed (string unescape -- $token; or string unescape -- $token\\"; or string unescape -- $token\\')
          command customers __complete fish -- (commandline -opc)[2..] "$typed[1]" 2>/dev/null
      end
      function __customers_wants_files
          set -l answer (__customers_answer)
          test (count $answer) -eq 1 -a -z "$answer[1]"
      end
      complete -c customers -f
      complete -c customers -F -n __customers_wants_files
      complete -c customers -k -a '(__customers_answer | string match -v "")'

      """
    }
  }
}
