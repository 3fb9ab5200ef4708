"""Tests of the host. (lesson 03)"""
