/// Completion scripts, made from the declarations that parsing and help go by.
enum CompletionScript {
  /// The shells there are scripts for.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  /// The script of `commands` for a shell.
  static func text(for shell: Shell, _ commands: [CommandSyntax]) -> String {
    switch shell {
    case .bash: bash(commands)
    case .zsh: zsh(commands)
    case .fish: fish(commands)
    }
  }

  private static var tool: String { ScrollTraceCommand.name }

  /// The words that can stand in the place of a command.
  private static func names(_ commands: [CommandSyntax]) -> [String] {
    commands.map(\.name) + ["help"]
  }

  private static func words(_ flag: Flag) -> [String] {
    ["--\(flag.name)"] + (flag.short.map { ["-\($0)"] } ?? [])
  }

  // MARK: - bash

  private static func bash(_ commands: [CommandSyntax]) -> String {
    var text = """
      # bash completion for \(tool); made by '\(tool) completions bash'.
      _\(tool)() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"
        local command="${COMP_WORDS[1]}"
        COMPREPLY=()
        if [[ $COMP_CWORD -eq 1 ]]; then
          COMPREPLY=($(compgen -W '\((names(commands) + ["--help", "--version"]).joined(separator: " "))' -- "$current"))
          COMPREPLY+=($(compgen -f -- "$current"))
          return
        fi
        case "$command" in
          help)
            COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$current"))
            return ;;

      """
    for command in commands {
      text += "    \(command.name))\n      case \"$previous\" in\n"
      for flag in command.allFlags where flag.value != nil {
        let reply =
          flag.choices.isEmpty
          ? "compgen -f -- \"$current\""
          : "compgen -W '\(flag.choices.joined(separator: " "))' -- \"$current\""
        text += "        \(words(flag).joined(separator: "|")))\n"
        text += "          COMPREPLY=($(\(reply)))\n          return ;;\n"
      }
      let flags = command.allFlags.flatMap(words).joined(separator: " ")
      text += """
              esac
              if [[ "$current" == -* ]]; then
                COMPREPLY=($(compgen -W '\(flags)' -- "$current"))
                return
              fi ;;

        """
    }
    return text + """
        esac
        COMPREPLY=($(compgen -f -- "$current"))
      }
      complete -o filenames -F _\(tool) \(tool)

      """
  }

  // MARK: - zsh

  private static func zsh(_ commands: [CommandSyntax]) -> String {
    var text = """
      #compdef \(tool)
      # zsh completion for \(tool); made by '\(tool) completions zsh'.
      _\(tool)() {
        local -a commands
        commands=(

      """
    for command in commands {
      text += "    \(quoted("\(command.name):\(command.abstract)"))\n"
    }
    text += """
          'help:Show help on a command.'
        )
        if (( CURRENT == 2 )); then
          _describe -t commands command commands
          _files
          return
        fi
        case "$words[2]" in

      """
    for command in commands {
      text += "    \(command.name))\n      shift words; (( CURRENT-- ))\n      _arguments -s \\\n"
      for flag in command.allFlags {
        text += "        \(quoted(zshSpecification(flag))) \\\n"
      }
      text += "        '*:file:_files' ;;\n"
    }
    return text + """
          help) _describe -t commands command commands ;;
          *) _files ;;
        esac
      }
      if [ "$funcstack[1]" = "_\(tool)" ]; then _\(tool) "$@"; else compdef _\(tool) \(tool); fi

      """
  }

  private static func zshSpecification(_ flag: Flag) -> String {
    func escape(_ text: String) -> String {
      var result = ""
      for character in text {
        if "[]:\\".contains(character) { result.append("\\") }
        result.append(character)
      }
      return result
    }
    let again = flag.isRepeatable ? "*" : ""
    var text = "\(again)--\(flag.name)"
    if flag.value != nil { text += "=" }
    text += "[\(escape(flag.help))]"
    if let value = flag.value {
      text += ":\(escape(value)):"
      text += flag.choices.isEmpty ? "_files" : "(\(flag.choices.joined(separator: " ")))"
    }
    return text
  }

  // MARK: - fish

  private static func fish(_ commands: [CommandSyntax]) -> String {
    var text = """
      # fish completion for \(tool); made by '\(tool) completions fish'.
      set -l commands \(names(commands).joined(separator: " "))

      """
    for command in commands {
      text +=
        "complete -c \(tool) -n \"not __fish_seen_subcommand_from $commands\""
        + " -a \(command.name) -d \(quoted(command.abstract))\n"
    }
    text +=
      "complete -c \(tool) -n \"not __fish_seen_subcommand_from $commands\""
      + " -a help -d 'Show help on a command.'\n"
    for command in commands {
      for flag in command.allFlags {
        var line =
          "complete -c \(tool) -n \"__fish_seen_subcommand_from \(command.name)\" -l \(flag.name)"
        if let short = flag.short { line += " -s \(short)" }
        if flag.value != nil { line += flag.choices.isEmpty ? " -r -F" : " -x" }
        if !flag.choices.isEmpty {
          line += " -a " + quoted(flag.choices.joined(separator: " "))
        }
        text += line + " -d \(quoted(flag.help))\n"
      }
    }
    return text
  }

  /// The text in single quotes, which mean the same in all three shells but for quotes inside.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
