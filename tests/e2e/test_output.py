# SPDX-License-Identifier: GPL-3.0-or-later
"""Working with the output: looked at from end to beginning, searched, saved, copied, played back.

What the terminal shows is selected and copied to be seen; see Window.read_screen().
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from story import NOTHING, Failed, get_clipboard, set_clipboard, tell, wait_for

# 200,000 lines.
LONG = "echo needle-1; seq 100000; echo needle-2; seq 100001 199997; echo needle-3"


def numbers(lines):
    return [int(line) for line in lines if line.isdigit()]


def shows_in_a_row(lines):
    """Whether nothing is missing between the numbers."""
    seen = numbers(lines)
    return len(seen) > 10 and seen == list(range(seen[0], seen[0] + len(seen)))


def pane_height(w):
    """A closed bar is still there for AT-SPI: it has given its place to the pane."""
    return w.see(part="Output of").extents()[3]


def see_selected(w, text):
    """Copies what is selected in the pane until it is this."""
    def is_copied():
        w.keys("ctrl+shift+c")
        return get_clipboard() == text

    set_clipboard(NOTHING)
    wait_for(f"{text} selected", is_copied)


def earlier_output_and_the_end_again(window):
    w = window("sh", "-c", LONG)
    w.see("list item", part=", Done")
    w.focus_window()
    w.wait_until_typed_into()
    tail = w.see_on_screen("the end", lambda lines: lines[-1] == "needle-3" and shows_in_a_row(lines))
    if w.find_all("button", "Jump to the End") or w.find_all("button", "Load Earlier"):
        raise Failed("at the end there is somewhere to go")

    # The terminal's own beginning is not the output's.
    w.keys("shift+Home")
    w.see("button", "Load Earlier")
    first = numbers(w.see_on_screen("the beginning of the tail", lambda lines: numbers(lines)[-1] < numbers(tail)[0]))[0]
    w.press("Load Earlier")
    # What was at the top is still there, and what stands before it.
    w.see_on_screen("what was before", lambda lines: shows_in_a_row(lines) and numbers(lines)[0] < first <= numbers(lines)[-1])
    w.keys("shift+Home")
    w.see("button", "Load Earlier")
    w.keys("ctrl+shift+Home")
    w.see_on_screen("what was before that", lambda lines: shows_in_a_row(lines) and numbers(lines)[-1] < first)

    w.press("Jump to the End")
    w.see_on_screen("the end", lambda lines: lines == tail)
    w.see_gone("button", "Jump to the End")
    w.keys("shift+Home")
    w.see("button", "Jump to the End")
    w.keys("ctrl+shift+End")
    w.see_gone("button", "Jump to the End")


def finding_in_the_whole_output(window):
    w = window("sh", "-c", LONG)
    w.see("list item", part=", Done")
    height = pane_height(w)
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+f")
    w.type("needle-1")
    w.see("label", "1 of 1")
    w.see_on_screen("the hit", lambda lines: "needle-1" in lines)
    w.see("button", "Jump to the End")

    w.keys("ctrl+shift+f")
    w.type("nEEdle-")
    # From what is shown on.
    w.see("label", "1 of 3")
    see_selected(w, "needle-")
    w.keys("Return")
    w.see("label", "2 of 3")
    w.keys("Return")
    w.see("label", "3 of 3")
    w.keys("Return")
    w.see("label", "1 of 3")
    w.keys("shift+Return")
    w.see("label", "3 of 3")
    w.keys("ctrl+shift+h")
    w.see("label", "2 of 3")
    w.press("Previous Hit")
    w.see("label", "1 of 3")
    w.press("Next Hit")
    w.see("label", "2 of 3")

    w.keys("ctrl+shift+f")
    w.type("not there")
    w.see("label", "Not found")
    if pane_height(w) >= height:
        raise Failed("the find bar takes no place")
    w.keys("Escape")
    w.wait_until_typed_into()
    wait_for("the find bar gone", lambda: pane_height(w) == height)


def how_to_find(window):
    w = window("sh", "-c", "echo needle; echo Needle; echo needles; echo 'nee.le (7'; seq 100")
    w.see("list item", part=", Done")
    w.focus_window()
    w.wait_until_typed_into()
    w.keys("ctrl+shift+f")
    w.type("needle")
    w.see("label", "1 of 3")
    for option, label in (("Match case", "1 of 2"), ("Whole words only", "1 of 1")):
        toggle(w, option)
        w.see("label", label)
    toggle(w, "Match case")
    w.see("label", "1 of 2")
    toggle(w, "Whole words only")

    # By a regular expression, which may be wrong.
    w.keys("ctrl+shift+f")
    w.type("nee.le (")
    w.see("label", "1 of 1")
    toggle(w, "Regular expression")
    w.see("label", part="parenthes")
    w.keys("ctrl+shift+f")
    w.type("^9[0-2]$")
    w.see("label", "1 of 3")
    see_selected(w, "90")
    w.keys("ctrl+shift+g")
    see_selected(w, "91")
    w.keys("ctrl+shift+g")
    w.see("label", "3 of 3")
    see_selected(w, "92")


def toggle(w, option):
    w.tab_to("How to Find")
    w.keys("space")
    w.see("checkbox", option)
    w.tab_to(option)
    w.keys("space", "Escape")
    wait_for("the focus back", lambda: not w.find_focused(option))


def save(w, path, format_name, is_all):
    """By the keyboard alone."""
    w.focus_window()
    w.keys("ctrl+shift+s")
    w.see_window("Save Output")
    w.focus_window("Save Output")
    w.tab_to("Format")
    w.keys("space")
    w.keys("Home", *["Down"] * ("Raw", "Plain Text", "HTML", "Recording").index(format_name), "Return")
    w.see("label", format_name)
    w.tab_to("Save…")
    w.keys("space")
    # The file chooser has the same title.
    def choosers():
        return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Save Output$"],
                              capture_output=True, text=True).stdout.split()
    wait_for("the file chooser", lambda: len(choosers()) == 2)
    w.focus_window("Save Output")
    w.keys("ctrl+a")
    w.type(path)
    wait_for(f"{path} written", lambda: w.find_text(path))
    w.keys("Return")
    w.close_window("Save Output")
    saved = b""

    def look():
        nonlocal saved
        if os.path.exists(path):
            with open(path, "rb") as file:
                saved = file.read()
        return is_all(saved)

    try:
        wait_for(f"all of it in {path}", look)
    except Failed as failure:
        raise Failed(f"{failure}; there is {saved}") from None
    return saved.decode()


def saving(window):
    """What stands in a file of each format, tests/transcript and tests/app show."""
    w = window("sh", "-c", "printf 'plain\\033[1mbold <b>\\033[0m\\n'; seq 3; printf 'over\\rOVER\\n'; exit 3")
    w.see("list item", part=", Exited with code 3")
    expected = b"plain\033[1mbold <b>\033[0m\r\n1\r\n2\r\n3\r\nover\rOVER\r\n"
    w.hold_toasts()
    with tempfile.TemporaryDirectory() as directory:
        save(w, f"{directory}/a.log", "Raw", lambda saved: saved == expected)
        w.see("label", "Saved as “a.log”")
        page = save(w, f"{directory}/a.html", "HTML", lambda saved: saved.endswith(b"</html>\n"))
        if sorted(os.listdir(directory)) != ["a.html", "a.log"]:
            raise Failed(f"there is more: {os.listdir(directory)}")
    if "\033" in page or "<b>" in page:
        raise Failed(f"HTML: {page}")
    shown = re.search(r"<pre>\n(.*)</pre>", page, re.DOTALL)[1]
    if re.sub(r"<[^>]*>", "", shown) != "plainbold &lt;b&gt;\n1\n2\n3\nOVER\n":
        raise Failed(f"HTML's text: {page}")


def opening_in_another_program(window):
    """In what the desktop has for text; which here keeps what it is given."""
    data, config = os.environ["XDG_DATA_HOME"], os.environ["XDG_CONFIG_HOME"]
    os.makedirs(f"{data}/applications", exist_ok=True)
    seen = f"{data}/seen"
    with open(f"{data}/applications/story-editor.desktop", "w") as file:
        file.write("[Desktop Entry]\nType=Application\nName=Editor\nMimeType=text/plain;\n"
                   f"Exec=sh -c 'cp \"$0\" {seen}.new && mv {seen}.new {seen}' %f\n")
    with open(f"{config}/mimeapps.list", "w") as file:
        file.write("[Default Applications]\ntext/plain=story-editor.desktop\n")
    w = window("sh", "-c", "printf 'plain\\033[1mbold\\033[0m\\n'; seq 2; printf 'over\\rOVER\\n'; exit 3")
    w.see("list item", part=", Exited with code 3")
    w.choose("Output", "Open in a Text Editor")
    wait_for("the other program", lambda: os.path.exists(seen))
    with open(seen) as file:
        text = file.read()
    if text != "plainbold\n1\n2\nOVER\n":
        raise Failed(f"it was given {text!r}")
    directory = os.path.join(os.environ["XDG_CACHE_HOME"], "stint", "opened")
    if os.stat(directory).st_mode & 0o777 != 0o700 or len(os.listdir(directory)) != 1:
        raise Failed(f"others can read it: {os.listdir(directory)}")
    os.unlink(f"{config}/mimeapps.list")
    os.unlink(f"{data}/applications/story-editor.desktop")
    # What goes wrong is said.
    shutil.rmtree(directory)
    pathlib.Path(directory).touch()
    w.choose("Output", "Open in a Text Editor")
    w.see("label", part="A problem with")
    os.unlink(directory)


def choosing_what_is_shown(window):
    w = window("--pipes", "sh", "-c", "echo out; echo err >&2; echo out again; printf '%0500d\\n' 7")
    w.see("list item", part=", Done")
    w.focus_window()
    w.see_on_screen("both", lambda lines: {"err", "out", "out again"} <= set(lines))
    w.choose("Output", "Standard Error Only")
    w.see_on_screen("the errors", lambda lines: lines == ["err"])
    w.choose("Output", "Standard Output Only")
    w.see_on_screen("the output", lambda lines: lines[:2] == ["out", "out again"])
    w.choose("Output", "Timestamps")
    w.see_on_screen("times", lambda lines: re.fullmatch(r".*\d\d:\d\d.* out", lines[0]))
    w.choose("Output", "Timestamps")
    rows = len(w.see_on_screen("no times", lambda lines: lines[:2] == ["out", "out again"]))
    w.choose("Output", "Larger Font")
    w.choose("Output", "Wrap Long Lines")
    w.see_on_screen("one row for the last line", lambda lines: len(lines) == 3 and len(lines[2]) < 500)
    w.choose("Output", "Output and Errors")
    w.see_on_screen("both", lambda lines: {"err", "out", "out again"} <= set(lines))


def playing_back(window):
    w = window("sh", "-c", "echo first; sleep 1.2; echo last")
    w.see("list item", part=", Done")
    w.focus_window()
    w.see_on_screen("all", lambda lines: lines == ["first", "last"])
    height = pane_height(w)
    w.choose("Output", "Play Back")
    w.see("tool bar", "Playback")
    total = w.see_match("label", r"(\d:\d\d) / \1")[1]
    w.see_on_screen("the end", lambda lines: lines == ["first", "last"])
    # Back to the beginning and once more, by keys.
    w.focus_window()
    w.tab_to("Position")
    w.keys("Home")
    w.see("label", f"0:00 / {total}")
    w.see_on_screen("nothing yet", lambda lines: lines == [""])
    w.tab_to("Play")
    w.keys("space")
    w.see("label", f"{total} / {total}")
    w.see_on_screen("the end", lambda lines: lines == ["first", "last"])
    w.press("End Playback")
    wait_for("the playback gone", lambda: pane_height(w) == height)
    w.see_on_screen("all", lambda lines: lines == ["first", "last"])
    w.wait_until_typed_into()


CONTROLS = {"button", "toggle button", "checkbox", "radio button", "combo box", "text box", "search box", "slider",
            "switch", "tool bar", "progress bar", "menu item", "menu item checkbox", "menu item radio"}


def unnamed_controls(w):
    """Controls without a name; GTK calls those by their type."""
    return [f"{node.role} {node.name!r} in {node.path}" for node in w.walk()
            if node.role in CONTROLS and node.is_shown() and (not node.name or re.fullmatch("(Gtk|Adw|Stint)[A-Z].*", node.name))]


def every_control_has_a_name(window):
    w = window("--pipes", "sh", "-c", LONG)
    w.see("list item", part=", Done")
    w.focus_window()
    w.keys("ctrl+shift+f")
    w.type("needle")
    w.see("label", part=" of 3")
    w.keys("ctrl+shift+Home")
    w.see("button", "Jump to the End")
    w.click(wait_for("the options", lambda: w.find_button("How to Find")))
    w.see("checkbox", "Whole words only")
    problems = unnamed_controls(w)
    w.keys("Escape")
    w.click(wait_for("the menu", lambda: w.find_button("Output")))
    w.see("menu item", "Copy All")
    problems += unnamed_controls(w)
    w.see("menu item", "Play Back").act()
    w.see("tool bar", "Playback")
    problems += unnamed_controls(w)
    w.press("End Playback")
    w.wait_until_typed_into()
    w.keys("ctrl+shift+s")
    w.see_window("Save Output")
    problems += unnamed_controls(w)
    if problems:
        raise Failed("; ".join(problems))


def a_compressed_transcript_after_a_restart(window):
    w = window("sh", "-c", LONG)
    w.see("list item", part=", Done")
    jobs = os.path.join(os.environ["XDG_STATE_HOME"], "stint", "jobs", "1")
    wait_for("it to be compressed", lambda: os.path.exists(f"{jobs}/output.zst") and not os.path.exists(f"{jobs}/output"))
    w.end()
    window.opened.remove(w)

    w = window()
    w.focus_window()
    w.go_to("History")
    w.click(w.see("row", part=", Done"))
    w.see_on_screen("the end", lambda lines: lines[-1] == "needle-3" and shows_in_a_row(lines))
    w.keys("ctrl+shift+f")
    w.type("needle-1")
    w.see("label", "1 of 1")
    w.see_on_screen("the hit", lambda lines: "needle-1" in lines)
    set_clipboard(NOTHING)
    w.choose("Output", "Copy All")
    expected = subprocess.run(["sh", "-c", LONG], capture_output=True, text=True, check=True).stdout
    wait_for("all of it on the clipboard", lambda: get_clipboard() == expected)


# A title of 1 MB, the clipboard, a link; then a character in two parts, each for itself.
SAYS = r"""
printf '\033]0;'; head -c 1000000 /dev/zero | tr '\0' t; printf '\007'
printf '\033]52;c;c3RvbGVu\007\033]8;;file:///etc/passwd\033\\link\033]8;;\033\\ '
for split in 1 2 3; do
  printf '\360\237\230\200' | head -c $split
  sleep 0.2
  printf '\360\237\230\200' | tail -c +$((split + 1))
done
echo ' end'
"""


def what_the_program_says_is_not_the_windows(window):
    set_clipboard("mine")
    w = window("--name", "Says", "sh", "-c", SAYS)
    w.see("list item", "Says, Done")
    if get_clipboard() != "mine":
        raise Failed(f"the clipboard is {get_clipboard()[:100]!r}")
    w.see("label", "Says")
    titles = {name for name in [node.name for node in w.toplevels.values()]}
    if any("ttt" in title for title in titles) or any("ttt" in node.name for node in w.walk()):
        raise Failed("the title is somewhere")
    w.see_on_screen("all of it", lambda lines: lines[-1].endswith("link " + "\N{GRINNING FACE}" * 3 + " end"))


if __name__ == "__main__":
    tell(earlier_output_and_the_end_again, finding_in_the_whole_output, how_to_find, saving, opening_in_another_program,
         choosing_what_is_shown, playing_back, every_control_has_a_name,
         a_compressed_transcript_after_a_restart, what_the_program_says_is_not_the_windows)
