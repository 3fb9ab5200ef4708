"""Marks: what they cover, and which blank lines stay."""

import textwrap

from tools.stages.marks import project

HEAD = '"""A file. (lesson 01)"""\n\n'


def at(number: int, text: str, name: str = "handwritten/a.py") -> str | None:
    """The program below its docstring, at a stage."""
    made = project(HEAD + textwrap.dedent(text), number, name)
    return made and made.removeprefix(HEAD)


def stays(number: int, text: str, expected: str) -> None:
    assert at(number, text) == textwrap.dedent(expected)


def test_a_file_belongs_to_the_lesson_of_its_docstring():
    source = '# comment first\n"""Tools. (lesson 03)\n\nMore.\n"""\n'
    assert project(source, 2, "host/a.py") is None
    assert project(source, 3, "host/a.py") == source


def test_a_trailing_mark_covers_its_line():
    stays(1, "a = 1\nb = 2  # lesson-02\nc = 3\n", "a = 1\nc = 3\n")


def test_a_mark_stays_visible_in_its_stage():
    stays(2, "a = 1\nb = 2  # lesson-02\n", "a = 1\nb = 2  # lesson-02\n")


def test_a_statement_over_several_lines_is_marked_on_its_first():
    text = """\
        a = 1
        b = call(  # lesson-02
            [1,
             2],
        )
        c = [  # lesson-02
            '''
        text
            ''',
        ]
        d = 4
        """
    stays(1, text, "a = 1\nd = 4\n")


def test_a_def_takes_its_decorators_along():
    text = """\
        a = 1

        @first
        # between
        @second(
            1,
        )
        def b():  # lesson-02
            pass
        """
    stays(1, text, "a = 1\n")


def test_a_decorator_marked_by_itself_goes_alone():
    text = "@first\n@second  # lesson-02\ndef a():\n    pass\n"
    stays(1, text, "@first\ndef a():\n    pass\n")


def test_async_def_and_class_bodies_go_whole():
    text = """\
        class A:
            x = 1
            y = 2  # lesson-02

            async def go(self):  # lesson-03
                async with self:
                    pass

                return 1


        class B:  # lesson-02
            z = 3
        """
    stays(1, text, "class A:\n    x = 1\n")
    assert "return 1" not in at(2, text)
    assert "class B" in at(2, text)
    assert at(3, text) == textwrap.dedent(text)


def test_clauses_are_marked_one_by_one():
    text = """\
        try:
            a()
        except KeyError:
            b()
        except ValueError:  # lesson-02
            c()
        # why
        else:  # lesson-03
            d()
        finally:  # lesson-04
            e()
        if a:
            pass
        elif b:  # lesson-02
            pass
        else:
            pass
        """
    stays(
        1,
        text,
        """\
        try:
            a()
        except KeyError:
            b()
        if a:
            pass
        else:
            pass
        """,
    )
    assert "# why" not in at(2, text)
    assert "# why" in at(3, text)


def test_a_marked_statement_takes_its_clauses_along():
    text = "if a:  # lesson-02\n    b()\nelse:\n    c()\nd()\n"
    stays(1, text, "d()\n")


def test_a_case_is_a_clause_of_its_match():
    text = """\
        match a:
            case 1:
                b()
            case {"x": x}:  # lesson-02
                c(x)
            case _:
                d()
        """
    assert at(1, text) == textwrap.dedent(text).replace(
        '    case {"x": x}:  # lesson-02\n        c(x)\n', ""
    )


def test_an_item_goes_up_to_its_comma():
    text = """\
        T = {
            "a": 1,
            "b": [  # lesson-02
                {"x": (1, 2)},
                3,
            ],
            "c": 4, "d": 5,  # lesson-03
            "e": 6  # lesson-04
        }
        """
    stays(1, text, 'T = {\n    "a": 1,\n}\n')
    assert '"c": 4, "d": 5,' in at(3, text)


def test_parameters_keyword_arguments_and_imports_are_items():
    text = """\
        from x import (
            a,
            b,  # lesson-02
        )


        def f(
            self,
            limit: dict[str, int] = {},  # lesson-02
        ):
            return g(
                self,
                limit=limit,  # lesson-02
            )
        """
    made = at(1, text)
    assert "limit" not in made and "b," not in made
    compile(made, "a", "exec")


def test_a_mark_alone_heads_the_lines_down_to_a_blank_one():
    text = """\
        a = 1
        # lesson-02
        b = 2
        # remark
        c = 3

        d = 4
        """
    stays(1, text, "a = 1\n\nd = 4\n")


def test_a_mark_alone_ends_with_its_block_or_bracket():
    text = """\
        T = {
            "a": 1,
            # lesson-02
            "b": 2,
            "c": 3,
        }
        if T:
            pass
            # lesson-02
            T.clear()
        d = 4
        """
    stays(1, text, 'T = {\n    "a": 1,\n}\nif T:\n    pass\nd = 4\n')


def test_groups_may_follow_each_other_in_lesson_order():
    text = "T = [\n    # lesson-02\n    2,\n    # lesson-03\n    3,\n]\n"
    stays(2, text, "T = [\n    # lesson-02\n    2,\n]\n")


def test_comments_directly_above_in_the_same_column_belong_to_a_marked_block():
    text = """\
        # not ours

        # about b
        # and more
        b = 2  # lesson-02
        T = [
            1,
          # another column
            # about 2
            2,  # lesson-02
        ]
        """
    stays(1, text, "# not ours\n\nT = [\n    1,\n  # another column\n]\n")


def test_comments_below_a_block_belong_to_the_block_of_their_column():
    text = """\
        def f():
            if a:  # lesson-02
                b()
                # inside the if
            # inside f
        # outside
        """
    stays(1, text, "def f():\n    # inside f\n# outside\n")


def test_nested_marks_give_a_line_the_greatest_number():
    text = "def f():  # lesson-02\n    a()\n    b()  # lesson-04\n    c()\n"
    stays(1, "a = 1\n" + text, "a = 1\n")
    stays(3, text, "def f():  # lesson-02\n    a()\n    c()\n")


def test_marks_in_strings_are_text():
    text = '''\
        a = "# lesson-02"
        b = """
        # lesson-03
        # Lesson 4
        """
        c = f"{a} # lesson-02"
        d = rf"""
        # lesson-05 {b}
        """
        '''
    stays(1, text, text)


def test_a_marked_f_string_over_several_lines_goes_whole():
    text = 'a = [\n    f"""{1\n    }\n    """,  # x\n    f"{2}",  # lesson-02\n]\n'
    assert "{2}" not in at(1, text) and "{1" in at(1, text)


def test_a_statement_with_a_continued_line_can_be_headed():
    text = "a = 1\n# lesson-02\nb = a + \\\n    2\n\nc = 3\n"
    stays(1, text, "a = 1\n\nc = 3\n")


# Blank lines


def test_where_lines_fall_out_the_longer_run_of_blank_lines_stays():
    text = "a = 1\n\nb = 2  # lesson-02\n\n\nc = 3\n\n\nd = 4  # lesson-02\n\ne = 5\n"
    stays(1, text, "a = 1\n\n\nc = 3\n\n\ne = 5\n")


def test_a_file_that_lost_its_end_does_not_end_in_blank_lines():
    stays(1, "a = 1\n\n\nb = 2  # lesson-02\n", "a = 1\n")


def test_blank_lines_inside_a_string_are_not_blank_lines():
    text = 'a = """\n\n\n\n"""\nb = 1  # lesson-02\n\nc = 3\n'
    stays(1, text, 'a = """\n\n\n\n"""\n\nc = 3\n')


def test_a_blank_line_inside_a_string_does_not_end_a_group():
    stays(1, '# lesson-02\na = """\n\n"""\nb = 1\n\nc = 3\n', "c = 3\n")


def test_a_comment_further_out_ends_a_group():
    text = "if a:\n    b()\n    # lesson-02\n    c()\n# outside\nd()\n"
    stays(1, text, "if a:\n    b()\n# outside\nd()\n")
